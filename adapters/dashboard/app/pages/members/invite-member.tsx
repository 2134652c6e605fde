import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MemberLink, NewMember } from '../../../../../src/types.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Reveal } from '../../parts/reveal.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { ROLES } from './audit-page.tsx';

export function InviteMember(props: { onInvited: () => void; onClose: () => void }): JSX.Element {
  const [role, setRole] = useState('viewer');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [member, setMade] = useState<NewMember>();
  const task = useTask();

  async function invite(): Promise<void> {
    const body = { role, ...(email !== '' && { email: email.trim() }), ...(name !== '' && { name }) };
    setMade(await call<NewMember>('POST', '/members', { body }));
    props.onInvited();
  }

  if (member !== undefined) {
    return <RevealLink link={member.link} name={name || email || 'the new member'} onClose={props.onClose} />;
  }
  return (
    <DialogForm
      title="Invite a person"
      action="Make the link"
      task={task}
      work={invite}
      onClose={props.onClose}
    >
      <SelectField label="Role" value={role} onValue={setRole} options={ROLES} />
      <TextField
        label="E-mail"
        optional
        hint="The person signs in with it. Without one, the person chooses."
        value={email}
        onValue={setEmail}
        error={task.errorAt('/email')}
        autoFocus
      />
      <TextField label="Name" optional value={name} onValue={setName} error={task.errorAt('/name')} />
      <p class="hint">
        No e-mail is sent. You get a link and give it to the person. The person who opens it within seven days
        becomes the member.
      </p>
    </DialogForm>
  );
}

/** Shows a link as an address of this dashboard, once. The token is behind `#`, so that no server sees it. */
export function RevealLink({
  link,
  name,
  onClose,
}: {
  link: MemberLink;
  name: string;
  onClose: () => void;
}): JSX.Element {
  const address = `${location.href.split('#', 1)[0]}#/join/${link.token}`;
  return <Reveal secret={address} name={name} what="link" onClose={onClose} />;
}
