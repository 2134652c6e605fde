import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PassportPatch } from '../../../../../src/index.ts';
import type { Comparison, PassportReplay, ReplayExample } from '../../../../../src/types.ts';
import { differenceSentence } from '../../../../../src/verdict/compare/index.ts';
import { announce } from '../../parts/announce.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import type { PassportForm } from '../../state/passport-form.ts';
import { recordQuery } from '../../state/record.ts';
import { href } from '../../state/route.ts';
import { PASSPORT_TEMPLATES } from '../../text/passport-templates.ts';
import { RESULTS, replaySentences } from '../../text/replay-words.ts';
import { linesOf } from '../../text/words.ts';

export { conditionSentence, orderSentence } from '../../text/condition-sentences.ts';
export { Decided, FewPeople, PeopleFields } from '../approvals/decided.tsx';
export { ConditionField } from './condition-field.tsx';
export { Budgets, Effective } from './effective.tsx';
export { AccessTokens, isForTokens } from './token-card.tsx';

export function WhatChanges({ agentId, patch }: { agentId: string; patch: PassportPatch }): JSX.Element {
  const change = useLoad('change', (signal) => askChange(agentId, { signal, patch }));
  const replay = useLoad('replay', (signal) => askReplay(agentId, { signal, body: { patch } }));
  return (
    <>
      <Shown of={change} rows={2}>
        {({ change: found }) => <>{found && <Differences of={found} />}</>}
      </Shown>
      <h3>The verdicts of the last 30 days</h3>
      <Shown of={replay} rows={3}>
        {(found) => <Turned replay={found} />}
      </Shown>
    </>
  );
}

/**
 * The pause in typing before the change is evaluated. The pause is needed because the service permits 60 evaluations
 * per minute.
 */
const QUIET_MS = 1_500;

export function Preview({ agentId, patch }: { agentId: string; patch: PassportPatch }): JSX.Element {
  const text = JSON.stringify(patch);
  const [typed, setTyped] = useState('{}');
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useLoad(typed, async (signal) =>
    typed === '{}' ? null : askChange(agentId, { signal, patch: JSON.parse(typed) }),
  );
  const result = typed === text ? data?.change?.result : undefined;
  // What cannot be read is marked at its field.
  return <p role="status">{result && <strong>{RESULTS[result]}</strong>}</p>;
}

const LISTS = { allowed_actions: 'actions', allowed_targets: 'targets' } as const;

interface UnusedProps {
  readonly agentId: string;
  readonly form: PassportForm;
}

/**
 * Shows the entries of the allowed lists that no verdict of the last 30 days has used. The replay starts only
 * after a click, because only one replay can run at a time.
 */
export function UnusedEntries(props: UnusedProps): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <h2>Not used in the last 30 days</h2>
      {isAsked ? (
        <Unused {...props} />
      ) : (
        <button type="button" class="button" onClick={() => setAsked(true)}>
          Find unused entries
        </button>
      )}
    </>
  );
}

function Unused({ agentId, form }: UnusedProps): JSX.Element {
  const replay = useLoad(agentId, (signal) => askReplay(agentId, { signal, body: { examples: 0 } }));
  return (
    <Shown of={replay} rows={2}>
      {({ used: { unused }, covered }) => {
        const lists = (Object.keys(LISTS) as (keyof typeof LISTS)[]).filter(
          (list) => unused[list].length > 0,
        );
        return (
          <>
            {!covered.complete && <p class="note">Older verdicts of this time were not read.</p>}
            {lists.length === 0 && <p>Every entry was used.</p>}
            {lists.map((list) => (
              <ul key={list} class="entries" aria-label={`Allowed ${LISTS[list]} that were not used`}>
                {unused[list].map((entry) => (
                  <li key={entry}>
                    <code dir="auto">{entry}</code> <Remove {...{ entry, list, form }} />
                  </li>
                ))}
              </ul>
            ))}
          </>
        );
      }}
    </Shown>
  );
}

function Remove(props: { entry: string; list: keyof typeof LISTS; form: PassportForm }): JSX.Element {
  const { entry, list, form } = props;
  const lines = linesOf(form.texts[list]);
  // Without any targets every target would be allowed.
  const isLast = list === 'allowed_targets' && lines.length === 1;
  const remove = (): void => {
    form.set(list)(lines.filter((line) => line !== entry).join('\n'));
    announce(`${entry} is removed from the form.`);
  };
  return (
    <button
      type="button"
      class="button"
      disabled={isLast || !lines.includes(entry)}
      aria-label={`Remove ${entry} from the allowed ${LISTS[list]}`}
      onClick={remove}
    >
      Remove
    </button>
  );
}

function askReplay(agentId: string, options: { signal: AbortSignal; body: object }): Promise<PassportReplay> {
  return call<PassportReplay>('POST', `/passports/${encodeURIComponent(agentId)}/replay`, options);
}

/** Evaluates only the change. The period is empty, so that no verdicts are replayed. */
function askChange(
  agentId: string,
  { signal, patch }: { signal: AbortSignal; patch: PassportPatch },
): Promise<PassportReplay> {
  const now = new Date().toISOString();
  return askReplay(agentId, { signal, body: { patch, from: now, to: now } });
}

function Differences({ of: { result, wider, narrower } }: { of: Comparison }): JSX.Element {
  const sentences = [
    ...wider.map((one) => differenceSentence(one, 'wider')),
    ...narrower.map((one) => differenceSentence(one, 'narrower')),
  ];
  return (
    <>
      <p>
        <strong>{RESULTS[result]}</strong>
      </p>
      <ul class="entries">
        {sentences.map((sentence) => (
          <li key={sentence} dir="auto">
            {sentence}
          </li>
        ))}
      </ul>
    </>
  );
}

function Turned({ replay }: { replay: PassportReplay }): JSX.Element {
  return (
    <>
      <ul class="entries">
        {replaySentences(replay).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {replay.examples.length > 0 && (
        <ul class="entries" aria-label="Examples">
          {replay.examples.slice(0, 6).map((example) => (
            <li key={example.record.decision_id}>
              <Example of={example} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Example({ of: { record, verdict } }: { of: ReplayExample }): JSX.Element {
  return (
    <>
      <a dir="auto" href={href(['verdicts'], recordQuery(record))}>
        {record.action}
      </a>{' '}
      <Time at={record.evaluated_at} seconds /> {record.verdict}, then {verdict ?? 'not known'}
    </>
  );
}

export function TemplateField({ form }: { form: PassportForm }): JSX.Element {
  const [job, setJob] = useState('');
  const template = PASSPORT_TEMPLATES.find((one) => one.job === job);
  return (
    <SelectField
      label="Begin with the limits of"
      value={job}
      onValue={(chosen) => {
        setJob(chosen);
        form.start(PASSPORT_TEMPLATES.find((one) => one.job === chosen)?.fields);
      }}
      options={[['', 'no template'], ...PASSPORT_TEMPLATES.map((one) => [one.job, one.job] as const)]}
      hint={template?.summary ?? 'A template fills in the fields below. Then change the names and limits.'}
    />
  );
}
