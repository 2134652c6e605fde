import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Passport, PassportPatch } from '../../../../../src/index.ts';
import { announce } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import {
  asksPeople,
  type PassportForm,
  toInputOf,
  toPatch,
  usePassportForm,
} from '../../state/passport-form.ts';
import { may } from '../../state/rights.ts';
import { go, href } from '../../state/route.ts';
import { useSecondScript } from '../../state/second-script.ts';
import { type Task, useTask } from '../../state/task.ts';
import { notesOn } from '../../text/passport-rules.ts';
import { fingerprint } from '../../text/words.ts';
import { TryPanel } from '../try/try-panel.tsx';
import { PassportFields } from './passport-fields.tsx';

export function NewPassport({ parent }: { parent: string }): JSX.Element {
  const form = usePassportForm(undefined, parent);
  const task = useTask();
  const once = useRef(crypto.randomUUID());
  const script = useSecondScript();
  const { domain, agent_name } = form.texts;
  const input = toInputOf(form.texts);
  const errorAt = (path: string): string | undefined => task.errorAt(path) ?? notesOn(input)[path];
  const bind = (name: 'domain' | 'agent_name' | 'parent_agent_id') => ({
    value: form.texts[name],
    onValue: form.set(name),
    error: errorAt(`/${name}`),
  });
  async function create(): Promise<void> {
    const headers = { 'idempotency-key': `${once.current}-${fingerprint(input)}` };
    const { agent_id } = await call<Passport>('POST', '/passports', { body: input, headers });
    announce('The passport is issued.');
    go(['passports', agent_id]);
  }
  return (
    <Page title="Issue a passport" back={<a href={href(['passports'])}>Passports</a>}>
      <FormBody
        {...{ task, form, errorAt }}
        onSubmit={() => task.run(create)}
        action={may('POST /passports') && 'Issue passport'}
        cancel={href(['passports'])}
      >
        {script !== 'failed' && script && <script.TemplateField form={form} />}
        <div class="fields">
          <TextField label="Domain" placeholder="shop.example" autoFocus required {...bind('domain')} />
          <TextField label="Agent name" placeholder="shopper" required {...bind('agent_name')} />
        </div>
        <p class="note preview">
          <span class="quiet">agent_id</span>{' '}
          <code>
            did:web:{domain || '…'}:agents:{agent_name || '…'}
          </code>
        </p>
        <TextField
          label="Child of the agent"
          optional
          hint="The agent_id of the parent agent. The child may do only what its parent may do. It never changes."
          placeholder="did:web:shop.example:agents:shopper"
          {...bind('parent_agent_id')}
        />
      </FormBody>
      <PeopleNote form={form} />
    </Page>
  );
}

function PeopleNote({ form: { texts } }: { form: PassportForm }): JSX.Element | null {
  const script = useSecondScript();
  if (script === 'failed' || !script || !asksPeople(texts)) return null;
  return <script.FewPeople needed={Number(texts.approval_count) || 1} by={texts.approval_by} />;
}

export function EditPassport({ id }: { id: string }): JSX.Element {
  const path = `/passports/${encodeURIComponent(id)}`;
  const passport = useLoad(path, (signal) => call<Passport>('GET', path, { signal }));
  return (
    <Page
      title="Edit passport"
      lead={<span class="break">{id}</span>}
      back={<a href={href(['passports', id])}>Back to the passport</a>}
    >
      {/* A later reload must not discard what was typed. */}
      <Shown of={passport}>{(first) => <EditForm first={first} />}</Shown>
    </Page>
  );
}

function EditForm({ first }: { first: Passport }): JSX.Element {
  const original = useRef(first).current;
  const { agent_id, version } = original;
  const form = usePassportForm(original);
  const task = useTask();
  const patch = toPatch(form.texts, original);
  const errorAt = (path: string): string | undefined => {
    return task.errorAt(path) ?? notesOn(toInputOf(form.texts))[path];
  };
  const [isAsking, setAsking] = useState(false);
  const script = useSecondScript();
  const done = () => go(['passports', agent_id]);
  async function save(): Promise<void> {
    setAsking(false);
    const headers = { 'content-type': 'application/merge-patch+json', 'if-match': `"${version}"` };
    await call('PATCH', `/passports/${encodeURIComponent(agent_id)}`, { body: patch, headers });
    announce('The passport is changed.');
    done();
  }
  return (
    <>
      <FormBody
        {...{ task, form, errorAt }}
        onSubmit={() => (Object.keys(patch).length > 0 ? setAsking(true) : done())}
        action={may('PATCH /passports/{agent_id}') && 'Save'}
        cancel={href(['passports', agent_id])}
      />
      {script !== 'failed' && script && (
        <section class="part">
          <script.Preview agentId={agent_id} patch={patch} />
          <PeopleNote form={form} />
          <script.UnusedEntries agentId={agent_id} form={form} />
        </section>
      )}
      {isAsking && (
        <SaveDialog
          {...{ agentId: agent_id, patch }}
          onSave={() => task.run(save)}
          onClose={() => setAsking(false)}
        />
      )}
      <section class="part">
        <h2>Try these changes before you save them</h2>
        <TryPanel agentId={agent_id} patch={patch} />
      </section>
    </>
  );
}

function FormBody(props: {
  task: Task;
  onSubmit: () => void;
  /** The text of the submit button; `false` if the person's role does not permit the action. */
  action: string | false;
  cancel: string;
  form: PassportForm;
  errorAt: (path: string) => string | undefined;
  children?: ComponentChildren;
}): JSX.Element {
  const { task, onSubmit, action, cancel, form, errorAt, children } = props;
  return (
    <Form class="stack sheet" task={task} onSubmit={() => action && onSubmit()}>
      {children}
      <PassportFields form={form} errorAt={errorAt} />
      <FormFailure task={task} />
      <div class="actions">
        {action && (
          <button type="submit" class="button primary" aria-busy={task.isRunning}>
            {action}
          </button>
        )}
        <a class="button" href={cancel}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

function SaveDialog(props: {
  agentId: string;
  patch: PassportPatch;
  onSave: () => void;
  onClose: () => void;
}): JSX.Element {
  const { agentId, patch, onSave, onClose } = props;
  const contents = useSecondScript();
  return (
    <Dialog title="What this changes" onClose={onClose}>
      {contents === 'failed' ? (
        <p class="note">This cannot be shown now. You can still save the change.</p>
      ) : (
        contents && <contents.WhatChanges agentId={agentId} patch={patch} />
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Back
        </button>
        <button type="button" class="button primary" onClick={onSave}>
          Save the change
        </button>
      </div>
    </Dialog>
  );
}
