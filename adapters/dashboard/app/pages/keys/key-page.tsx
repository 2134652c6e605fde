import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ApiKey, RotatedApiKey } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Confirm, DialogForm } from '../../parts/dialog-form.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Reveal } from '../../parts/reveal.tsx';
import { Shown } from '../../parts/states.tsx';
import { Facts } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { may } from '../../state/rights.ts';
import { go, href } from '../../state/route.ts';
import { useTask } from '../../state/task.ts';
import { kindOf } from '../../text/scopes.ts';
import { GRACES, linesOf } from '../../text/words.ts';
import { AgentLink } from '../passports/entries.tsx';
import { AgentsField, DomainsField, ScopeChoice } from './create-key.tsx';

export function KeyPage({ id }: { id: string }): JSX.Element {
  const path = `/keys/${encodeURIComponent(id)}`;
  const key = useLoad(path, (signal) => call<ApiKey>('GET', path, { signal }));
  const [open, setOpen] = useState<'rotate' | 'change' | 'revoke'>();
  const [rotatedKey, setRotated] = useState<RotatedApiKey>();
  const close = () => setOpen(undefined);
  const { data } = key;
  return (
    <Page
      title={data?.name ?? 'API key'}
      back={<a href={href(['keys'])}>API Keys</a>}
      actions={data && <KeyActions record={data} onOpen={setOpen} />}
    >
      <Shown of={key}>{(record) => <KeyFacts record={record} />}</Shown>
      {data && open === 'rotate' && (
        <RotateKey
          record={data}
          onClose={close}
          onRotated={(next) => {
            close();
            setRotated(next);
          }}
        />
      )}
      {data && open === 'change' && <ChangeKey record={data} onClose={close} onChanged={key.reload} />}
      {data && open === 'revoke' && (
        <Confirm
          title="Revoke this key?"
          action="Revoke key"
          onClose={close}
          work={async () => {
            await call('DELETE', path);
            key.reload();
            announce('The key is revoked.');
          }}
        >
          <p>
            Everything that uses{' '}
            <strong dir="auto" class="break">
              {data.name}
            </strong>{' '}
            is refused from now on. This cannot be undone.
          </p>
        </Confirm>
      )}
      {rotatedKey && (
        <Reveal secret={rotatedKey.key} name={rotatedKey.name} onClose={() => go(['keys', rotatedKey.id])} />
      )}
    </Page>
  );
}

function KeyActions(props: {
  record: ApiKey;
  onOpen: (kind: 'rotate' | 'change' | 'revoke') => void;
}): JSX.Element {
  const { record, onOpen } = props;
  const isUsable = record.status === 'active' || record.status === 'rotating';
  if (!isUsable) return <Status value={record.status} />;
  return (
    <>
      {record.status === 'active' && may('POST /keys/{id}/rotate') && (
        <button type="button" class="button" onClick={() => onOpen('rotate')}>
          Rotate
        </button>
      )}
      {may('PATCH /keys/{id}') && (
        <button type="button" class="button" onClick={() => onOpen('change')}>
          Change
        </button>
      )}
      {may('DELETE /keys/{id}') && (
        <button type="button" class="button danger-quiet" onClick={() => onOpen('revoke')}>
          Revoke
        </button>
      )}
    </>
  );
}

function KeyFacts({ record }: { record: ApiKey }): JSX.Element {
  const { agent_ids, rotated_to } = record;
  const timeOf = (instant: string | null) => instant && <Time at={instant} />;
  return (
    <Facts
      rows={[
        ['Status', <Status key="status" value={record.status} />],
        ['Begins with', <code key="start">{record.start}…</code>],
        ['Kind', kindOf(record) === 'management' ? 'management key' : 'verdict key'],
        ['Environment', record.environment],
        ['Scopes', record.scopes.join(', ')],
        ['Agents', agent_ids === null ? 'every agent of the account' : <AgentLinks ids={agent_ids} />],
        ...(record.domains === undefined
          ? []
          : [['Domains', record.domains?.join(', ') ?? 'every domain of the account'] as const]),
        ['Created', timeOf(record.created_at)],
        ['Last used', timeOf(record.last_used_at) ?? <span class="quiet">never</span>],
        ['Expires', timeOf(record.expires_at) ?? <span class="quiet">never</span>],
        ...(record.revoked_at === null ? [] : [['Revoked', timeOf(record.revoked_at)] as const]),
        ...(rotated_to === null
          ? []
          : [
              [
                'Replaced by',
                <a key="next" href={href(['keys', rotated_to])}>
                  {rotated_to}
                </a>,
              ] as const,
            ]),
        ['Changed', timeOf(record.changed_at) ?? <span class="quiet">never</span>],
        ['Key id', <code key="id">{record.id}</code>],
      ]}
    />
  );
}

function AgentLinks({ ids }: { ids: readonly string[] }): JSX.Element {
  return (
    <ul class="plain">
      {ids.map((id) => (
        <li key={id}>
          <AgentLink id={id} />
        </li>
      ))}
    </ul>
  );
}

function ChangeKey(props: { record: ApiKey; onClose: () => void; onChanged: () => void }): JSX.Element {
  const { record, onClose, onChanged } = props;
  const [name, setName] = useState(record.name);
  const [scopes, setScopes] = useState<readonly string[]>(record.scopes);
  const [agents, setAgents] = useState(record.agent_ids?.join('\n') ?? '');
  const [domains, setDomains] = useState(record.domains?.join('\n') ?? '');
  const kind = kindOf(record);
  const task = useTask();
  async function change(): Promise<void> {
    const agent_ids = linesOf(agents);
    const namedLines = linesOf(domains);
    const body = {
      name,
      scopes,
      agent_ids: agent_ids.length > 0 ? agent_ids : null,
      ...(kind === 'management' && { domains: namedLines.length > 0 ? namedLines : null }),
    };
    await call('PATCH', `/keys/${record.id}`, { body });
    onChanged();
    announce('The key is changed.');
  }
  return (
    <DialogForm
      title="Change this key"
      action="Save"
      task={task}
      work={change}
      onDone={onClose}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        error={task.errorAt('/name')}
        autoFocus
        required
      />
      <ScopeChoice
        kind={kind}
        environment={record.environment}
        isBound={kind === 'management' && `${agents}${domains}`.trim() !== ''}
        value={scopes}
        onValue={setScopes}
        error={task.errorAt('/scopes')}
      />
      <AgentsField value={agents} onValue={setAgents} error={task.errorAt('/agent_ids')} />
      {kind === 'management' && (
        <DomainsField value={domains} onValue={setDomains} error={task.errorAt('/domains')} />
      )}
    </DialogForm>
  );
}

function RotateKey(props: {
  record: ApiKey;
  onClose: () => void;
  onRotated: (next: RotatedApiKey) => void;
}): JSX.Element {
  const { record, onClose, onRotated } = props;
  const [grace, setGrace] = useState('86400');
  const task = useTask();
  const ref = useRef(crypto.randomUUID());
  async function rotate(): Promise<void> {
    const body = { grace_seconds: Number(grace) };
    const headers = { 'idempotency-key': `${ref.current}-${grace}` };
    onRotated(await call<RotatedApiKey>('POST', `/keys/${record.id}/rotate`, { body, headers }));
  }
  return (
    <DialogForm title="Rotate this key" action="Rotate key" task={task} work={rotate} onClose={onClose}>
      <p>
        A new key takes the place of{' '}
        <strong dir="auto" class="break">
          {record.name}
        </strong>
        , with the same scopes and agents.
      </p>
      <SelectField
        label="The old key ends"
        hint="Leave time to put the new key everywhere. The old key never works after its own expiry."
        value={grace}
        onValue={setGrace}
        options={GRACES}
        error={task.errorAt('/grace_seconds')}
      />
    </DialogForm>
  );
}
