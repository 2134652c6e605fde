import { useState } from 'preact/hooks';
import type { Intent, PassportPatch, Verdict, VerdictRecord } from '../../../../../src/index.ts';
import { call } from '../../state/api.ts';
import { type Task, useTask } from '../../state/task.ts';

/** What makes a question a real one. */
export interface RealQuestion {
  readonly apiKey: string;
  readonly setApiKey: (value: string) => void;
  readonly isDry: boolean;
  readonly setDry: (value: boolean) => void;
}

/** A verdict, in which currency was asked, and its record where there is one. */
export interface Answer {
  readonly verdict: Verdict;
  readonly currency: string | null;
  readonly record: VerdictRecord | undefined;
}

/** A question, its answer, and whether it runs. */
export interface Ask {
  readonly task: Task;
  readonly answer: Answer | undefined;
  readonly ask: (intent: Intent) => void;
  readonly real: RealQuestion;
}

/** Asks about `agentId`, or about the agent of the intent; with a key it is a verification, without one a try. */
export function useAsk(agentId: string | undefined, patch: PassportPatch | undefined): Ask {
  const [apiKey, setApiKey] = useState('');
  const [isDry, setDry] = useState(true);
  const [answer, setAnswer] = useState<Answer>();
  const task = useTask();

  async function find(asked: Intent): Promise<void> {
    setAnswer(undefined);
    const intent = agentId === undefined ? asked : { ...asked, agent_id: agentId };
    const currency = currencyOf(intent);
    if (apiKey.trim() !== '') {
      const body = { ...intent, ...(isDry && { dry_run: true }) };
      const headers = { 'x-api-key': apiKey.trim() };
      const record = await call<VerdictRecord>('POST', '/verify', { body, headers });
      setAnswer({ verdict: record, currency, record });
      return;
    }
    const body = { intent, ...(patch && Object.keys(patch).length > 0 && { patch }) };
    const path = `/passports/${encodeURIComponent(intent.agent_id)}/try`;
    setAnswer({ verdict: await call<Verdict>('POST', path, { body }), currency, record: undefined });
  }

  return {
    ...{ task, answer },
    ask: (intent) => void task.run(() => find(intent)),
    real: { apiKey, setApiKey, isDry, setDry },
  };
}

function currencyOf({ parameters }: Intent): string | null {
  const currency = parameters?.['currency'];
  return typeof currency === 'string' ? currency : null;
}
