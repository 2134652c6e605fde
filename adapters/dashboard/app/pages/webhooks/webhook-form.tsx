import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { EventType, NewWebhook, Webhook, WebhookFormat } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Check } from '../../parts/check.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { Reveal } from '../../parts/reveal.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';

interface Fields {
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly format: WebhookFormat;
}

export function CreateWebhook(props: { onCreated: () => void; onClose: () => void }): JSX.Element {
  const [webhook, setMade] = useState<NewWebhook>();
  if (webhook !== undefined)
    return <Reveal secret={webhook.secret} name={webhook.url} what="secret" onClose={props.onClose} />;
  return (
    <WebhookForm
      title="Add a webhook"
      action="Add webhook"
      first={{ url: '', types: ['passport.*'], description: '', format: 'event' }}
      onClose={props.onClose}
      work={async ({ description, ...fields }) => {
        const body = { ...fields, ...(description !== '' && { description }) };
        setMade(await call<NewWebhook>('POST', '/webhooks', { body }));
        props.onCreated();
      }}
    />
  );
}

export function ChangeWebhook(props: {
  record: Webhook;
  onChanged: () => void;
  onClose: () => void;
}): JSX.Element {
  const { record, onChanged, onClose } = props;
  return (
    <WebhookForm
      title="Change this webhook"
      action="Save"
      first={{ ...record, description: record.description ?? '' }}
      onClose={onClose}
      work={async ({ description, ...fields }) => {
        const body = { ...fields, description: description === '' ? null : description };
        await call('PATCH', `/webhooks/${record.id}`, { body });
        onChanged();
        announce('The webhook is changed.');
        onClose();
      }}
    />
  );
}

function WebhookForm(props: {
  title: string;
  action: string;
  first: Fields;
  work: (fields: Fields) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { title, action, first, work, onClose } = props;
  const [url, setUrl] = useState(first.url);
  const [types, setTypes] = useState(first.types);
  const [description, setDescription] = useState(first.description);
  const [format, setFormat] = useState(first.format);
  const task = useTask();
  return (
    <DialogForm
      title={title}
      action={action}
      task={task}
      work={() => work({ url, types, description, format })}
      onClose={onClose}
    >
      <TextField
        label="URL"
        hint="https, on the public Internet."
        type="url"
        placeholder="https://example.com/hooks"
        value={url}
        onValue={setUrl}
        error={task.errorAt('/url')}
        autoFocus
        required
        mono
      />
      <TypeChoice value={types} onValue={setTypes} error={task.errorAt('/types')} />
      <TextField
        label="Description"
        optional
        value={description}
        onValue={setDescription}
        error={task.errorAt('/description')}
      />
      <Check isOn={format === 'ocsf'} onValue={(isOn) => setFormat(isOn ? 'ocsf' : 'event')}>
        Send OCSF
      </Check>
    </DialogForm>
  );
}

/** The selectable kinds of events. Verdicts have one kind per type, and all other events one kind per group. */
type Kind<Type> = Type extends `verdict.${string}`
  ? Type
  : Type extends `${infer Family}.${string}`
    ? `${Family}.*`
    : never;

const KINDS: Readonly<Record<Kind<EventType>, string>> = {
  'passport.*': 'issued, changed, suspended, active again, revoked',
  'key.*': 'made, changed, rotated, revoked',
  'verdict.denied': 'at most ten per second',
  'verdict.allowed': 'at most ten per second',
  'outcome.*': 'as reported; at most ten per second',
  'domain.*': 'claimed, released, given away',
  'approval.*': 'a person is asked, and has decided',
  'spend.*': 'committed, released, expired',
  'budget.*': 'warnings',
  'account.*': 'opened, disabled, password changed, logins throttled',
  'member.*': 'invited, joined, changed, removed, signed in',
  'webhook.*': 'made, changed, rotated, removed',
  'subject.*': 'erased',
};

/** Renders the choice of event types. Types that were set through the API stay in the list. */
function TypeChoice(props: {
  value: readonly string[];
  onValue: (value: readonly string[]) => void;
  error: string | undefined;
}): JSX.Element {
  const { value, onValue, error } = props;
  const id = useId();
  const types = [...new Set([...Object.keys(KINDS), ...value])];
  return (
    <fieldset class="field" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Events</legend>
      {types.map((type) => (
        <Check
          key={type}
          isOn={value.includes(type)}
          onValue={(isOn) => onValue(isOn ? [...value, type] : value.filter((entry) => entry !== type))}
        >
          <code>{type}</code> <span class="quiet">{(KINDS as Readonly<Record<string, string>>)[type]}</span>
        </Check>
      ))}
      {error !== undefined && (
        <p class="error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
