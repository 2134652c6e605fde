import type { Intent, PassportInput } from '../../../src/index.ts';

export interface Subject {
  readonly label: string;
  readonly questions: readonly BenchQuestion[];
  ask(intent: Intent): Promise<{ readonly verdict: string }>;
  /** Returns the number of verdicts that were not recorded so far. Absent if it cannot be known. */
  countDropped?(): Promise<number>;
  /** Returns the limit of verifications per minute for the account; `null` until an answer has contained it. */
  limitPerMinute?(): number | null;
  /** `true` if a call may complete without waiting. The tool must then yield to the event loop, so that timers run. */
  readonly isInProcess: boolean;
  /** Removes everything that the run has created, and closes the storage or the session. */
  close(): Promise<void>;
}

export interface BenchQuestion {
  readonly intent: Intent;
  readonly expected?: 'ALLOW' | 'DENY';
}

const ACTIONS = ['payments.create', 'payments.refund', 'orders.get', 'orders.list'];
const LIMIT = 100;
const AT_A_TIME = 8;

export async function makePassports(
  create: (input: PassportInput) => Promise<{ readonly agent_id: string }>,
  { domain, count }: { readonly domain: string; readonly count: number },
  agents: string[],
): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  await inTurns(names, async (agent_name) => {
    const may = { allowed_actions: ACTIONS, monetary_limit_per_txn: LIMIT, currency: 'EUR' };
    agents.push((await create({ domain, agent_name, ...may })).agent_id);
  });
}

export function questionsOf(agents: readonly string[], dryRun: boolean): readonly BenchQuestion[] {
  return agents.flatMap((agent_id, index) => {
    const action = ACTIONS[index % ACTIONS.length] ?? '';
    const ask = (amount: number): Intent => ({
      agent_id,
      action,
      parameters: { amount, currency: 'EUR' },
      ...(dryRun && { dry_run: true }),
    });
    return [
      { intent: ask(LIMIT / 4), expected: 'ALLOW' },
      { intent: ask(LIMIT * 2), expected: 'DENY' },
    ];
  });
}

/**
 * Runs `work` for each item, a few at the same time. If one call fails, waits for the running calls before it rejects.
 */
export async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const item = items[next] as Item;
      next += 1;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, worker));
  const failedResult = ends.find((end) => end.status === 'rejected');
  if (failedResult !== undefined) throw failedResult.reason;
}
