import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Intent, PassportPatch, VerdictRecord } from '../../../../../src/index.ts';
import { AGENTS, AgentOptions, useNewestPassports } from '../../parts/agent-options.tsx';
import { Check } from '../../parts/check.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { LinesField, TextField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { VerdictCard } from '../../parts/verdict.tsx';
import { apiAddress } from '../../state/api.ts';
import { recordHref } from '../../state/record.ts';
import { route } from '../../state/route.ts';
import { type IntentTexts, toCurl, toIntent, toTypeScript } from '../../text/intent.ts';
import { type RealQuestion, useAsk } from './use-ask.ts';

const NOTHING = { action: '', target: '', amount: '', currency: '' };

export function TryPanel(props: {
  agentId?: string;
  patch?: PassportPatch;
  start?: Partial<IntentTexts>;
}): JSX.Element {
  const { agentId, patch, start } = props;
  const [texts, setTexts] = useState<IntentTexts>({ agent_id: agentId ?? '', ...NOTHING, ...start });
  const [json, setJson] = useState<string>();
  const { task, answer, ask, real } = useAsk(agentId, patch);
  const intent = json === undefined ? toIntent(texts) : parsed(json);

  return (
    <div class="try">
      <Form
        class="stack sheet"
        task={task}
        onSubmit={() => {
          if (intent !== undefined) ask(intent);
        }}
      >
        {json === undefined ? (
          <IntentFields
            texts={texts}
            onTexts={setTexts}
            isFixed={agentId !== undefined}
            errorAt={task.errorAt}
          />
        ) : (
          <LinesField
            label="Intent as JSON"
            value={json}
            onValue={setJson}
            rows={9}
            error={intent === undefined ? 'This is not a JSON object with agent_id and action.' : undefined}
          />
        )}
        {patch === undefined && <RealKey {...real} />}
        <FormFailure task={task} />
        <div class="actions">
          <button
            type="submit"
            class="button primary"
            aria-busy={task.isRunning}
            disabled={intent === undefined}
          >
            Ask for a verdict
          </button>
          <button
            type="button"
            class="button quiet"
            onClick={() => setJson(json === undefined ? JSON.stringify(intent, null, 2) : undefined)}
          >
            {json === undefined ? 'Paste JSON' : 'Use the form'}
          </button>
        </div>
      </Form>
      <div class="stack" aria-live="polite">
        {answer === undefined ? (
          <p class="card quiet">The verdict appears here, with every reason.</p>
        ) : (
          <VerdictCard {...answer} note={<AnswerNote record={answer.record} />} />
        )}
      </div>
      {patch === undefined && intent?.agent_id && intent.action && (
        <div class="stack span">
          <CodeBlock label="curl" code={toCurl(apiAddress, intent)} />
          <CodeBlock label="TypeScript" code={toTypeScript(apiAddress, intent)} />
        </div>
      )}
    </div>
  );
}

function AnswerNote({ record }: { record: VerdictRecord | undefined }): JSX.Element {
  if (record === undefined) return <>Nothing was recorded.</>;
  return (
    <>
      {record.dry_run ? 'A dry run: recorded as such.' : 'A real verdict: recorded and counted.'}{' '}
      <a href={recordHref(record)}>Show the record</a>
    </>
  );
}

function parsed(json: string): Intent | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const { agent_id, action } = Object(value) as Partial<Intent>;
    return typeof agent_id === 'string' && typeof action === 'string' ? (value as Intent) : undefined;
  } catch {
    return undefined;
  }
}

/** Renders the field for an API key, which stays only in the memory of this page. */
function RealKey(props: RealQuestion): JSX.Element {
  const { apiKey, setApiKey, isDry, setDry } = props;
  return (
    <details>
      <summary>Ask with an API key, as an application does</summary>
      <div class="stack">
        <TextField
          label="API key"
          optional
          type="password"
          hint="It stays in the memory of this page, which sends it only to the service."
          value={apiKey}
          onValue={setApiKey}
          mono
        />
        <Check isOn={isDry} onValue={setDry}>
          Dry run <span class="quiet">recorded as a dry run, not in analytics</span>
        </Check>
      </div>
    </details>
  );
}

function IntentFields(props: {
  texts: IntentTexts;
  onTexts: (texts: IntentTexts) => void;
  isFixed: boolean;
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  const { texts, onTexts, isFixed, errorAt } = props;
  const passports = useNewestPassports();
  const chosenPassport = passports.find(({ agent_id }) => agent_id === texts.agent_id);
  const bind = (name: keyof IntentTexts) => ({
    value: texts[name],
    onValue: (value: string) => onTexts({ ...texts, [name]: value }),
    error: errorAt(`/intent/${name}`) ?? errorAt(`/${name}`),
  });
  return (
    <>
      {!isFixed && (
        <TextField
          label="Passport"
          list={AGENTS}
          placeholder="did:web:shop.example:agents:shopper"
          required
          mono
          {...bind('agent_id')}
        />
      )}
      <TextField
        label="Action"
        list="actions"
        placeholder="payments.create"
        required
        mono
        {...bind('action')}
      />
      <TextField label="Target" optional placeholder="did:web:supplier.example" mono {...bind('target')} />
      <div class="fields">
        <TextField label="Amount" optional inputMode="decimal" {...bind('amount')} />
        <TextField label="Currency" optional placeholder="EUR" {...bind('currency')} />
      </div>
      <AgentOptions passports={passports} />
      <datalist id="actions">
        {(chosenPassport?.allowed_actions ?? []).map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
    </>
  );
}

export function TryPage(): JSX.Element {
  const query = Object.fromEntries(route.value.query);
  const start = Object.fromEntries(
    ['agent_id', 'action', 'target', 'amount', 'currency'].map((name) => [name, query[name] ?? '']),
  );
  return (
    <Page title="Try it" lead="Try an intent before an agent does, and see the verdict.">
      <TryPanel start={start} />
    </Page>
  );
}
