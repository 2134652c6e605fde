/**
 * Sends an event if a budget has reached its `warn_at`. All nodes together send one event for each window and
 * environment.
 */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { rollingSeconds } from '../../base/values/budget-window.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { describeCause } from '../../errors.ts';
import type { BudgetThreshold } from '../../records.ts';
import type { PolicyBudget, Usage } from '../../verdict/budgets.ts';
import { budgetsIn } from '../../verdict/takings.ts';
import type { Context } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { createAncestries, NOT_FOUND } from '../verification/ancestries.ts';
import { stateOf, usageIn } from './budget-state.ts';
import { adderAt, type BudgetOwner, type CountedWindow, warnedCounter, windowOf } from './counters.ts';
import { readUsages } from './read-budgets.ts';
import type { WarnCharged } from './settlement.ts';

export interface BudgetUse {
  readonly owner: BudgetOwner;
  readonly budget: PolicyBudget;
  readonly window: CountedWindow;
  readonly usage: Usage;
}

export interface Thresholds {
  /**
   * Sends an event for each budget that has reached its `warn_at` and has no event yet. First ends expired holds below
   * the topmost agent, because they do not count. Never rejects.
   */
  send(account_id: string, uses: readonly BudgetUse[], atMs: number, root_agent_id: string): Promise<void>;
}

const MAX_MARKS = 4_096;

function isReached({ budget: { warn_at = 1, max }, usage: { spent, held } }: BudgetUse): boolean {
  // Exact for every limit: a part has at most 2 decimals.
  return 100n * BigInt(spent + held) >= BigInt(Math.round(100 * warn_at)) * BigInt(max);
}

function chargedUses(
  owner: BudgetOwner,
  budgets: readonly PolicyBudget[],
  chargedMap: ReadonlyMap<string, readonly number[]>,
  atMs: number,
): readonly BudgetUse[] {
  return budgets.flatMap((budget) => {
    if (budget.warn_at === undefined) return [];
    const window = windowOf(owner, budget, atMs);
    const values = window.counters.flatMap(({ used }) => chargedMap.get(used) ?? []);
    return values.length === 0 ? [] : { owner, budget, window, usage: usageIn(window, values) };
  });
}

export function createThresholds(
  context: Pick<Context, 'store' | 'clock' | 'nextEventName' | 'auditDays' | 'log'>,
  endDue: (root_agent_id: string) => Promise<unknown>,
): Thresholds {
  const { store, log } = context;
  /**
   * The end of each mark that this node has set or found, in milliseconds since the Unix epoch. A mark means that the
   * event was sent.
   */
  const markedMap = createBoundedMap<string, number>(MAX_MARKS);

  async function presentUse(use: BudgetUse, atMs: number, root_agent_id: string): Promise<BudgetUse> {
    if (use.window.held === undefined || use.usage.held === 0) return use;
    await endDue(root_agent_id);
    const [usage = use.usage] = await readUsages(context, [use.window], atMs);
    return { ...use, usage };
  }

  function isMarked({ owner, budget, window }: BudgetUse, atMs: number): boolean {
    return (markedMap.get(warnedCounter(owner, budget, window)) ?? Number.NEGATIVE_INFINITY) > atMs;
  }

  /** Sets the mark and stores the event in one write. A second node that tries the same fails. */
  async function sendOne(account_id: string, use: BudgetUse, atMs: number): Promise<void> {
    const { owner, budget, window } = use;
    const mark = warnedCounter(owner, budget, window);
    const seconds = rollingSeconds(budget.window);
    const end = seconds === undefined ? undefined : atMs + seconds * 1_000;
    const [first] = window.counters;
    const expires_at = end === undefined ? (first?.expires_at ?? null) : formatInstant(end);
    const set = adderAt(formatInstant(atMs))(mark, 1, { expires_at }, 1);
    const data = thresholdOf(use);
    const { written } = await store.write(set, eventOf(context, 'budget.threshold', { account_id, data }));
    // The end of a mark of another node in a rolling window is not known.
    if (written || end === undefined) markedMap.set(mark, end ?? Number.POSITIVE_INFINITY);
  }

  return {
    async send(account_id, uses, atMs, root_agent_id) {
      for (const use of uses) {
        if (!isReached(use) || isMarked(use, atMs)) continue;
        try {
          const present = await presentUse(use, atMs, root_agent_id);
          if (isReached(present)) await sendOne(account_id, present, atMs);
        } catch (error) {
          // The next ALLOW of the budget tries again.
          const message = 'The event of a budget that has reached its warn_at could not be stored.';
          log({ level: 'warn', event: 'threshold_not_sent', message, cause: describeCause(error) });
        }
      }
    },
  };
}

function thresholdOf({ owner, budget, window, usage }: BudgetUse): BudgetThreshold {
  const { agent_id, environment } = owner;
  const { name, limit, count, unit, spent, held } = stateOf(agent_id, budget, usage, window);
  return {
    agent_id,
    environment,
    name,
    window: budget.window,
    warn_at: budget.warn_at ?? 1,
    ...(limit !== null && { limit }),
    ...(count !== null && { count }),
    ...(unit !== undefined && { unit }),
    spent,
    held,
  };
}

export function createChargeWarnings(context: Pick<Context, 'caches'>, thresholds: Thresholds): WarnCharged {
  const { caches } = context;
  const ancestries = createAncestries(caches);
  return async (record, chargedMap, atMs) => {
    const { account_id, agent_id, environment, created_at, root_agent_id = agent_id } = record;
    if (chargedMap.size === 0) return;
    // The commit is stored: a passport that cannot be read takes nothing of it back.
    const look = ancestries.find(agent_id, caches.monotonic());
    const { found, ancestry } = await look.catch(() => NOT_FOUND);
    if (found === undefined) return;
    const passports = [found.prepared, ...(ancestry?.prepared ?? [])];
    const uses = passports.flatMap((passport) => {
      const owner = { environment, agent_id: passport.passport.agent_id };
      return chargedUses(owner, budgetsIn(passport), chargedMap, Date.parse(created_at));
    });
    await thresholds.send(account_id, uses, atMs, root_agent_id);
  };
}
