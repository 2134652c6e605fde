import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Environment, NewApiKey } from '../../../../../src/index.ts';
import { Check } from '../../parts/check.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { LinesField, SelectField, TextField } from '../../parts/field.tsx';
import { Reveal } from '../../parts/reveal.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { isPossible, type KeyKind, SCOPES_OF, type ScopeTerms } from '../../text/scopes.ts';
import { fromInput, toInput } from '../../text/time.ts';
import { fingerprint, linesOf } from '../../text/words.ts';

export function CreateKey(props: {
  agentId?: string;
  onCreated: (key: NewApiKey) => void;
  onClose: () => void;
}): JSX.Element {
  const [madeKey, setMade] = useState<NewApiKey>();
  if (madeKey !== undefined)
    return <Reveal secret={madeKey.key} name={madeKey.name} onClose={props.onClose} />;
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
  const [kind, setKind] = useState<KeyKind>('verdict');
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<Environment>('live');
  const [scopes, setScopes] = useState<readonly string[]>(DEFAULT_SCOPES.verdict);
  const [agents, setAgents] = useState(props.agentId ?? '');
  const [domains, setDomains] = useState('');
  const [expires, setExpires] = useState('');
  const task = useTask();
  // The idempotency key: a form that is sent twice makes one API key.
  const ref = useRef(crypto.randomUUID());
  const isManaging = kind === 'management';
  const choice = { kind, environment, isBound: isManaging && `${agents}${domains}`.trim() !== '' };

  function choose(next: KeyKind): void {
    setKind(next);
    setScopes(DEFAULT_SCOPES[next]);
    setExpires(next === 'management' ? usualEnd() : '');
  }

  async function create(): Promise<void> {
    const [agent_ids, namedDomains] = [linesOf(agents), isManaging ? linesOf(domains) : []];
    const expires_at = fromInput(expires);
    const body = {
      name,
      ...(isManaging ? {} : { environment }),
      scopes: scopes.filter((scope) => isPossible(scope, choice)),
      ...(agent_ids.length > 0 && { agent_ids }),
      ...(namedDomains.length > 0 && { domains: namedDomains }),
      ...(expires_at !== undefined && { expires_at }),
    };
    const headers = { 'idempotency-key': `${ref.current}-${fingerprint(body)}` };
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
      <KindField value={kind} onValue={choose} />
      <TextField
        label="Name"
        hint="Say where you use the key, such as “checkout in production”."
        value={name}
        onValue={setName}
        error={task.errorAt('/name')}
        autoFocus
        required
      />
      {!isManaging && <EnvironmentField value={environment} onValue={setEnvironment} />}
      <ScopeChoice {...choice} value={scopes} onValue={setScopes} error={task.errorAt('/scopes')} />
      <AgentsField value={agents} onValue={setAgents} error={task.errorAt('/agent_ids')} rows={2} />
      {isManaging && (
        <DomainsField value={domains} onValue={setDomains} error={task.errorAt('/domains')} rows={2} />
      )}
      <TextField
        label="Expires"
        {...(isManaging ? { required: true, hint: 'At most 400 days from now.' } : { optional: true })}
        type="datetime-local"
        value={expires}
        onValue={setExpires}
        error={task.errorAt('/expires_at')}
      />
    </DialogForm>
  );
}

function KindField(props: { value: KeyKind; onValue: (value: KeyKind) => void }): JSX.Element {
  const { value, onValue } = props;
  return (
    <SelectField
      label="Kind"
      hint={HINTS[value]}
      value={value}
      onValue={(next) => onValue(next as KeyKind)}
      options={[
        ['verdict', 'Verdict key'],
        ['management', 'Management key'],
      ]}
    />
  );
}

function EnvironmentField(props: { value: Environment; onValue: (value: Environment) => void }): JSX.Element {
  return (
    <SelectField
      label="Environment"
      hint="A test key may have only the scopes verify, events, decide, permit and token."
      value={props.value}
      onValue={(value) => props.onValue(value as Environment)}
      options={[
        ['live', 'Live'],
        ['test', 'Test'],
      ]}
    />
  );
}

const HINTS: Readonly<Record<KeyKind, string>> = {
  verdict: 'For an application with agents: it asks for verdicts.',
  management: 'For a pipeline or an assistant. It manages passports and keys in your name.',
};

const DEFAULT_SCOPES: Readonly<Record<KeyKind, readonly string[]>> = {
  verdict: ['verify', 'revoke'],
  management: ['passports:propose'],
};

const MINUTE_MS = 60_000;
const USUAL_MS = 90 * 24 * 60 * MINUTE_MS;

function usualEnd(): string {
  const end = Math.floor((Date.now() + USUAL_MS) / MINUTE_MS) * MINUTE_MS;
  return toInput(new Date(end).toISOString());
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
      hint="One agent_id per line. Empty: every agent of the account."
      {...props}
    />
  );
}

export function DomainsField(props: {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
  rows?: number;
}): JSX.Element {
  return (
    <LinesField
      label="Only these domains"
      optional
      hint="One domain per line. Empty: every domain of the account."
      {...props}
    />
  );
}

export function ScopeChoice(
  props: ScopeTerms & {
    value: readonly string[];
    onValue: (value: readonly string[]) => void;
    error: string | undefined;
  },
): JSX.Element {
  const { value, onValue, error, ...choice } = props;
  const id = useId();
  return (
    <fieldset class="field" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Scopes</legend>
      {Object.entries(SCOPES_OF[choice.kind]).map(([scope, meaning]) => {
        const isFree = isPossible(scope, choice);
        return (
          <Check
            key={scope}
            isDisabled={!isFree}
            isOn={isFree && value.includes(scope)}
            onValue={(isOn) => onValue(isOn ? [...value, scope] : value.filter((entry) => entry !== scope))}
          >
            <code>{scope}</code>{' '}
            <span class="quiet">
              {choice.isBound && !isFree ? 'only for a key of the whole account' : meaning}
            </span>
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
