import { analytics } from '../../../src/analytics/index.ts';
import { createIdentityService, type Intent, type PassportInput } from '../../../src/index.ts';
import { finishErasures } from '../backend/local.ts';
import { labelOf, openStorage, type StoragePlace } from '../input/storage-url.ts';

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

/**
 * Opens the whole service over the storage in this process. Requests use an API key, as over HTTP.
 *
 * The run uses its own account. It neither changes nor counts the records of other accounts. At the end, the
 * run erases its account, and with it everything that the run has stored.
 */
export async function openLocalSubject(
  place: StoragePlace,
  { domain, passports }: { readonly domain: string; readonly passports: number },
): Promise<Subject> {
  const start = new Date().toISOString();
  const account_id = `acc_${domain.replace(/\..*$/, '').replace('-', '_')}`;
  const actor = { account_id };
  const service = createIdentityService({ storage: await openStorage(place), capabilities: [analytics()] });
  const close = async (): Promise<void> => {
    try {
      if (place.kind === 'memory') return;
      await service.accounts.delete(account_id);
      await finishErasures(service);
    } finally {
      await service.close();
    }
  };
  try {
    const { key } = await service.keys.create({ name: 'agent-identity bench' }, actor);
    const agents: string[] = [];
    const create: Parameters<typeof makePassports>[0] = (input) => service.passports.create(input, actor);
    await makePassports(create, { domain, count: passports }, agents);
    return {
      label: `the service in this process over ${labelOf(place)}`,
      questions: questionsOf(agents, false),
      isInProcess: true,
      ask: (intent) => service.verifyAs(key, intent),
      countDropped: async () => (await service.analytics({ from: start }, actor)).journal_dropped,
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}
