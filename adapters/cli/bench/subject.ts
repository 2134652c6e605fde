import type { Intent, PassportInput } from '../../../src/index.ts';

/** The subject of a measurement: it answers intents, with passports that were made for it. */
export interface Subject {
  /** Its name in the report. */
  readonly label: string;
  /** Asked in turn. */
  readonly questions: readonly BenchQuestion[];
  /** Returns the verdict on the intent; rejects as the service does. */
  ask(intent: Intent): Promise<{ readonly verdict: string }>;
  /** Counts the verdicts that were not recorded so far; absent when that is not known. */
  countDropped?(): Promise<number>;
  /** Verifications a minute that the account may make, once an answer has said so. */
  limitPerMinute?(): number | null;
  /** `true` when a call may complete without waiting, so that the event loop has to be given turns for its timers. */
  readonly isInProcess: boolean;
  /** Removes everything that the run has made, and closes the storage or the session. */
  close(): Promise<void>;
}

/** An intent and, if known, the verdict it has to get. */
export interface BenchQuestion {
  readonly intent: Intent;
  readonly expected?: 'ALLOW' | 'DENY';
}

const ACTIONS = ['payments.create', 'payments.refund', 'orders.get', 'orders.list'];
const LIMIT = 100;
const AT_A_TIME = 8;

/** Makes passports below `domain`, and adds their ids to `agents`. */
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

/** Returns two intents for each agent. The first is allowed, and the second exceeds the limit. */
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

/** Does `work` for each, a few at a time; before it rejects, it waits for the work that has begun. */
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
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
