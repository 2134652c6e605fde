import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Intent, PassportPatch, VerdictRecord } from '../../../../../src/index.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { LinesField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { VerdictCard } from '../../parts/verdict.tsx';
import { apiAddress } from '../../state/api.ts';
import { recordHref } from '../../state/record.ts';
import { type IntentTexts, toCurl, toIntent, toTypeScript } from '../../text/intent.ts';
import { IntentFields } from './intent-fields.tsx';
import { RealKey } from './real-key.tsx';
import { useAsk } from './use-ask.ts';

const NOTHING = { action: '', target: '', amount: '', currency: '' };

/** Asks for a verdict on a passport: a trial of its rules, also with unsaved changes, or a real one with an API key. */
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

/** Says how the answer was recorded. */
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
