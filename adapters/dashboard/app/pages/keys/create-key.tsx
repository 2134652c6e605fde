import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Environment, NewApiKey } from '../../../../../src/index.ts';
import type { VerdictScope } from '../../../../../src/types.ts';
import { Check } from '../../parts/check.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { LinesField, SelectField, TextField } from '../../parts/field.tsx';
import { Reveal } from '../../parts/reveal.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { fromInput } from '../../text/time.ts';
import { fingerprint, linesOf } from '../../text/words.ts';

/** Shows the dialog that makes a key, and then the key, once. */
export function CreateKey(props: {
  agentId?: string;
  onCreated: (key: NewApiKey) => void;
  onClose: () => void;
}): JSX.Element {
  const [made, setMade] = useState<NewApiKey>();
  if (made !== undefined) return <Reveal secret={made.key} name={made.name} onClose={props.onClose} />;
  return (
    <KeyForm
      {...props}
      onCreated={(key) => {
        setMade(key);
        props.onCreated(key);
      }}
    />
  );
}

function KeyForm(props: {
  agentId?: string;
  onCreated: (key: NewApiKey) => void;
  onClose: () => void;
}): JSX.Element {
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<Environment>('live');
  const [scopes, setScopes] = useState<readonly string[]>(['verify', 'revoke']);
  const [agents, setAgents] = useState(props.agentId ?? '');
  const [expires, setExpires] = useState('');
  const task = useTask();
  // The idempotency key: a form that is sent twice makes one API key.
  const once = useRef(crypto.randomUUID());

  async function create(): Promise<void> {
    const agent_ids = linesOf(agents);
    const expires_at = fromInput(expires);
    const chosen = scopes.filter((scope) => environment === 'live' || TEST_SCOPES.includes(scope));
    const body = {
      ...{ name, environment, scopes: chosen },
      ...(agent_ids.length > 0 && { agent_ids }),
      ...(expires_at !== undefined && { expires_at }),
    };
    const headers = { 'idempotency-key': `${once.current}-${fingerprint(body)}` };
    props.onCreated(await call<NewApiKey>('POST', '/keys', { body, headers }));
  }

  return (
    <DialogForm
      title="Create an API key"
      action="Create key"
      task={task}
      work={create}
      onClose={props.onClose}
    >
      <TextField
        label="Name"
        hint="Where it is used, such as “checkout in production”."
        value={name}
        onValue={setName}
        error={task.errorAt('/name')}
        autoFocus
        required
      />
      <SelectField
        label="Environment"
        hint="A test key may only ask for verdicts and read events; its records say so."
        value={environment}
        onValue={(value) => setEnvironment(value as Environment)}
        options={[
          ['live', 'Live'],
          ['test', 'Test'],
        ]}
      />
      <ScopeChoice
        environment={environment}
        value={scopes}
        onValue={setScopes}
        error={task.errorAt('/scopes')}
      />
      <AgentsField value={agents} onValue={setAgents} error={task.errorAt('/agent_ids')} rows={2} />
      <TextField
        label="Expires"
        optional
        type="datetime-local"
        value={expires}
        onValue={setExpires}
        error={task.errorAt('/expires_at')}
      />
    </DialogForm>
  );
}

export function AgentsField(props: {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
  rows?: number;
}): JSX.Element {
  return (
    <LinesField
      label="Only these agents"
      optional
      hint="One agent_id a line. Empty: every agent of the account."
      {...props}
    />
  );
}

const SCOPES: Readonly<Record<VerdictScope, string>> = {
  verify: 'ask for verdicts',
  revoke: 'suspend and revoke passports',
  reinstate: 'end suspensions',
  refund: 'give back what was spent of budgets',
  events: 'read the event stream',
  sign: 'sign passports, for those outside',
  permit: 'ask for permits, which resources demand',
  decide: 'decide in its own process: reads whole passports and files verdicts',
};

/** Returns the scopes as text; `all` if the key has every scope. */
export function scopesText(scopes: readonly string[]): string {
  return Object.keys(SCOPES).every((scope) => scopes.includes(scope)) ? 'all' : scopes.join(', ');
}

const TEST_SCOPES: readonly string[] = ['verify', 'events', 'decide', 'permit'];

export function ScopeChoice(props: {
  environment: Environment;
  value: readonly string[];
  onValue: (value: readonly string[]) => void;
  error: string | undefined;
}): JSX.Element {
  const { environment, value, onValue, error } = props;
  const id = useId();
  return (
    <fieldset class="field" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Scopes</legend>
      {Object.entries(SCOPES).map(([scope, meaning]) => {
        const isPossible = environment === 'live' || TEST_SCOPES.includes(scope);
        return (
          <Check
            key={scope}
            isDisabled={!isPossible}
            isOn={isPossible && value.includes(scope)}
            onValue={(isOn) => onValue(isOn ? [...value, scope] : value.filter((one) => one !== scope))}
          >
            <code>{scope}</code> <span class="quiet">{meaning}</span>
          </Check>
        );
      })}
      {error !== undefined && (
        <p class="error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
