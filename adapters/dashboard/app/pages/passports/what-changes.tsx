import type { JSX } from 'preact';
import type { PassportPatch } from '../../../../../src/index.ts';
import type { Comparison, PassportReplay, ReplayExample } from '../../../../../src/types.ts';
import { differenceSentence } from '../../../../../src/verdict/index.ts';
import { Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { recordQuery } from '../../state/record.ts';
import { href } from '../../state/route.ts';
import { RESULTS, replaySentences } from '../../text/replay-words.ts';

/** Shows what a patch changes: the difference to the present passport, and the verdicts of 30 days that it turns. */
export function WhatChanges({ agentId, patch }: { agentId: string; patch: PassportPatch }): JSX.Element {
  const path = `/passports/${encodeURIComponent(agentId)}/replay`;
  const ask = (signal: AbortSignal, more: object) =>
    call<PassportReplay>('POST', path, { signal, body: { patch, ...more } });
  const now = new Date().toISOString();
  const change = useLoad('change', (signal) => ask(signal, { from: now, to: now }));
  const replay = useLoad('replay', (signal) => ask(signal, {}));
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
