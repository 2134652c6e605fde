import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { KeyPage, Member, MemberLink } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Check } from '../../parts/check.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Confirm } from '../../parts/dialog-form.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { leave } from '../../state/session.ts';
import { useTask } from '../../state/task.ts';
import { plural } from '../../text/words.ts';
import { nameOf, ROLES } from './audit-page.tsx';
import { RevealLink } from './invite-member.tsx';

interface Managed {
  readonly member: Member;
  readonly isOwner: boolean;
  readonly isSelf: boolean;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function ManageMember(props: Managed): JSX.Element {
  const { member, isOwner, onChanged, onClose } = props;
  const [isRemoving, setRemoving] = useState(!isOwner);
  const [link, setLink] = useState<MemberLink>();
  const [role, setRole] = useState<string>(member.role);
  const task = useTask();
  const path = `/members/${encodeURIComponent(member.id)}`;
  const name = nameOf(member);

  async function save(): Promise<void> {
    await call('PATCH', path, { body: { role } });
    onChanged();
    announce(`${name} is ${role} now.`);
    onClose();
  }
  async function makeLink(): Promise<void> {
    setLink(await call<MemberLink>('POST', `${path}/link`));
    onChanged();
  }
  async function endSessions(): Promise<void> {
    await call('DELETE', `${path}/sessions`);
    announce(`The sessions of ${name} are ended.`);
  }

  if (link !== undefined) return <RevealLink link={link} name={name} onClose={onClose} />;
  if (isRemoving) return <RemoveMember {...props} />;
  return (
    <Dialog title={name} onClose={onClose}>
      <Form task={task} class="stack" onSubmit={() => task.run(save)}>
        {member.status !== 'removed' && (
          <SelectField
            label="Role"
            value={role}
            onValue={setRole}
            options={ROLES}
            error={task.errorAt('/role')}
          />
        )}
        <FormFailure task={task} />
        <div class="actions">
          <button
            type="submit"
            class="button primary"
            disabled={role === member.role}
            aria-busy={task.isRunning}
          >
            Save the role
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
        <p class="hint">{linkHint(member)}</p>
        <div class="actions">
          {member.login !== 'host' && (
            <button type="button" class="button" onClick={() => task.run(makeLink)}>
              {member.status === 'active' ? 'Make a reset link' : 'Make a new link'}
            </button>
          )}
          {member.status === 'active' && (
            <button type="button" class="button" onClick={() => task.run(endSessions)}>
              End all sessions
            </button>
          )}
          <button type="button" class="button danger-quiet" onClick={() => setRemoving(true)}>
            {props.isSelf ? 'Leave the account' : 'Remove'}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function linkHint({ status }: Member): string {
  return status === 'active'
    ? 'A reset link lets the person who opens it within 24 hours choose a new login for this member. The old login then ends.'
    : 'A new link is valid for seven days, and the previous link stops working.';
}

function RemoveMember({ member, isSelf, onChanged, onClose }: Managed): JSX.Element {
  const [revokes, setRevokes] = useState(false);
  const keys = useActiveKeys(member.id);
  const name = nameOf(member);
  return (
    <Confirm
      title={isSelf ? 'Leave the account?' : `Remove ${name}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      onClose={onClose}
      work={async () => {
        const query = revokes ? '?revoke_keys=true' : '';
        await call('DELETE', `/members/${encodeURIComponent(member.id)}${query}`);
        if (isSelf) return leave();
        onChanged();
        announce(`${name} is removed.`);
      }}
    >
      <p>
        {isSelf ? 'You are' : `${name} is`} signed out at once, on every device. Only a link of an owner leads
        back.
      </p>
      <p>
        {keys === undefined
          ? 'API keys stay valid.'
          : keys === '0'
            ? `${isSelf ? 'You have' : `${name} has`} made no active API key.`
            : `${isSelf ? 'You have' : `${name} has`} made ${keys}. A key stays valid until it is revoked. A person may still have its secret.`}
      </p>
      {keys !== '0' && (
        <Check isOn={revokes} onValue={setRevokes}>
          Revoke the keys as well; applications that use them stop
        </Check>
      )}
    </Confirm>
  );
}

function useActiveKeys(id: string): string | undefined {
  const path = `/keys?limit=100&created_by=${encodeURIComponent(id)}`;
  const { data } = useLoad(path, (signal) => call<KeyPage>('GET', path, { signal }));
  if (data === undefined) return undefined;
  const active = data.data.filter(({ status }) => status === 'active' || status === 'rotating').length;
  if (active === 0 && !data.has_more) return '0';
  return `${data.has_more ? 'at least ' : ''}${plural(active, 'active API key')}`;
}
