import { useState } from 'preact/hooks';
import type { Intent, PassportPatch, Verdict, VerdictRecord } from '../../../../../src/index.ts';
import { call } from '../../state/api.ts';
import { type Task, useTask } from '../../state/task.ts';

export interface RealQuestion {
  readonly apiKey: string;
  readonly setApiKey: (value: string) => void;
  readonly isDry: boolean;
  readonly setDry: (value: boolean) => void;
}

export interface Answer {
  readonly verdict: Verdict;
  readonly currency: string | null;
  readonly record: VerdictRecord | undefined;
}

export interface Ask {
  readonly task: Task;
  readonly answer: Answer | undefined;
  readonly ask: (intent: Intent) => void;
  readonly real: RealQuestion;
}

/**
 * Gets a verdict about `agentId`, or about the agent in the intent. With an API key, the verdict is real. Without a
 * key, it is a trial.
 */
export function useAsk(agentId: string | undefined, patch: PassportPatch | undefined): Ask {
  const [apiKey, setApiKey] = useState('');
  const [isDry, setDry] = useState(true);
  const [answer, setAnswer] = useState<Answer>();
  const task = useTask();

  async function find(askedIntent: Intent): Promise<void> {
    setAnswer(undefined);
    const intent = agentId === undefined ? askedIntent : { ...askedIntent, agent_id: agentId };
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
    task,
    answer,
    ask: (intent) => void task.run(() => find(intent)),
    real: { apiKey, setApiKey, isDry, setDry },
  };
}

function currencyOf({ parameters }: Intent): string | null {
  const currency = parameters?.['currency'];
  return typeof currency === 'string' ? currency : null;
}
