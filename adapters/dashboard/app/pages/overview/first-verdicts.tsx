import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Intent, Passport, Verdict } from '../../../../../src/types.ts';
import { FailureNote } from '../../parts/states.tsx';
import { VerdictMark } from '../../parts/status.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { money } from '../../text/words.ts';

interface Answer {
  readonly intent: Intent;
  readonly verdict: Verdict;
}

/**
 * Asks for one verdict that the passport allows and one that it denies: real verdicts with a key, a trial of its rules
 * without.
 */
export function FirstVerdicts(props: {
  passport: Passport | undefined;
  apiKey: string | undefined;
  onDone: () => void;
}): JSX.Element {
  const { passport, apiKey, onDone } = props;
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const [isRecorded, setRecorded] = useState(false);
  const task = useTask();
  async function ask(): Promise<void> {
    if (passport === undefined) return;
    const found: Answer[] = [];
    for (const intent of intentsFor(passport))
      found.push({ intent, verdict: await verdictOn(intent, apiKey) });
    setAnswers(found);
    setRecorded(apiKey !== undefined);
  }
  return (
    <>
      <p class="quiet">
        {apiKey === undefined
          ? 'Asked of the rules alone: nothing is recorded. With a key that you create above it is a real verdict.'
          : 'Asked with the key that you have just created: two real verdicts, recorded and counted.'}
      </p>
      <div role="status" class="answers">
        {answers.map(({ intent, verdict }) => (
          <p key={verdict.verdict + JSON.stringify(intent)}>
            <VerdictMark value={verdict.verdict} /> <code>{intent.action}</code> of {amountOf(intent)}
            {verdict.reasons.map(({ code, message }) => (
              <span class="quiet" key={code}>
                {' '}
                {message}
              </span>
            ))}
          </p>
        ))}
      </div>
      <FailureNote failure={task.failure} />
      {isRecorded ? (
        <button type="button" class="button primary" onClick={onDone}>
          Show the overview
        </button>
      ) : (
        <button
          type="button"
          class={`button ${apiKey === undefined ? '' : 'primary'}`}
          disabled={passport === undefined}
          aria-busy={task.isRunning}
          onClick={() => task.run(ask)}
        >
          Ask both
        </button>
      )}
    </>
  );
}

function verdictOn(intent: Intent, apiKey: string | undefined): Promise<Verdict> {
  if (apiKey !== undefined) {
    return call('POST', '/verify', { body: intent, headers: { 'x-api-key': apiKey } });
  }
  return call('POST', `/passports/${encodeURIComponent(intent.agent_id)}/try`, { body: { intent } });
}

/** Makes two intents: one at the limit, one above it. */
function intentsFor(passport: Passport): readonly Intent[] {
  const { agent_id, allowed_actions, monetary_limit_per_txn: limit, currency } = passport;
  const action = (allowed_actions[0] ?? 'payments.create').replaceAll('*', 'example');
  return [limit, Number(limit) + 1].map((amount) => ({
    ...{ agent_id, action },
    parameters: { amount, ...(currency && { currency }) },
  }));
}

function amountOf({ parameters }: Intent): string {
  return money(`${parameters?.['amount']}`, parameters?.['currency'] as string | undefined);
}
