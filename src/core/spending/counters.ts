/**
 * Names the counters of budgets. Each window has a counter of spent and held amounts together, and a counter of held
 * amounts.
 */
import { rollingSeconds, type WindowSpan, windowAt } from '../../base/values/budget-window.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { partOf, spanEnd, spansAt } from '../../base/values/spans.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Change } from '../../ports/storage.ts';
import type { Environment, Instant } from '../../records.ts';
import type { PolicyBudget } from '../../verdict/budgets.ts';

export interface BudgetOwner {
  readonly environment: Environment;
  readonly agent_id: string;
}

/** A counter of the amounts that are spent or held, in the unit of the budget. */
export interface UsedCounter {
  readonly used: string;
  readonly expires_at: Instant | null;
}

export interface CountedWindow {
  /** The counters of amounts that are spent or held. A calendar window has one, a rolling window one for each span. */
  readonly counters: readonly UsedCounter[];
  /**
   * The name of the counter of held amounts. It expires together with the counter of the calendar window.
   * `undefined` for a rolling window.
   */
  readonly held: string | undefined;
  readonly rolling: RollingSpans | undefined;
  /** The start and the end of the window. Both are `null` for a window without a start and an end. */
  readonly window_start: Instant | null;
  readonly resets_at: Instant | null;
}

export interface RollingSpans {
  readonly seconds: number;
  readonly spans: readonly number[];
}

/** Returns the window of a budget that contains `atMs`, in milliseconds since the Unix epoch. */
export type WindowOf = (owner: BudgetOwner, budget: PolicyBudget, atMs: number) => CountedWindow;

export const KEPT_MS: number = 100 * RESOLUTION_MS.day;

/** The unit of a budget that counts intents. It is stored instead of a currency. */
const INTENTS = '#';

export const windowOf: WindowOf = (owner, budget, index) => {
  const seconds = rollingSeconds(budget.window);
  if (seconds !== undefined) return rollingWindow(owner, budget, { seconds, spans: spansAt(seconds, index) });
  const span: WindowSpan | undefined = windowAt(budget.window, index);
  const id = counterOf(owner, budget, span?.start);
  const expires_at = span === undefined ? null : formatInstant(span.end + KEPT_MS);
  return {
    counters: [{ used: `used:${id}`, expires_at }],
    held: `held:${id}`,
    rolling: undefined,
    window_start: span === undefined ? null : formatInstant(span.start),
    resets_at: span === undefined ? null : formatInstant(span.end),
  };
};

function rollingWindow(owner: BudgetOwner, budget: PolicyBudget, rolling: RollingSpans): CountedWindow {
  const counters = rolling.spans.map(
    (span): UsedCounter => ({
      used: `used:${counterOf(owner, budget, span)}`,
      expires_at: formatInstant(spanEnd(rolling.seconds, span)),
    }),
  );
  return { counters, held: undefined, rolling, window_start: null, resets_at: null };
}

function counterOf(
  { environment, agent_id }: BudgetOwner,
  { window, currency, name }: PolicyBudget,
  place: number | undefined,
): string {
  return `${environment}:${window}:${place ?? ''}:${currency ?? INTENTS}:${name}:${agent_id}`;
}

/**
 * Returns the name of the counter that records that a threshold of the budget was reported. The counter is 1
 * after the event `budget.threshold` was sent, and 0 before. A window of the calendar has its own counter.
 */
export function warnedCounter(
  owner: BudgetOwner,
  budget: PolicyBudget,
  { window_start }: CountedWindow,
): string {
  return `warned:${counterOf(owner, budget, window_start === null ? undefined : Date.parse(window_start))}`;
}

interface Kept extends BudgetOwner {
  readonly start: number;
  readonly end: number;
  readonly found: CountedWindow;
}

/**
 * Creates a `windowOf` that caches the last window of each budget. Without the cache, formatting a window takes as long
 * as a verdict.
 */
export function createWindowOf(): WindowOf {
  const last = new WeakMap<PolicyBudget, Kept>();
  return (owner, budget, index) => {
    const { environment, agent_id } = owner;
    const keptState = last.get(budget);
    if (keptState !== undefined && index >= keptState.start && index < keptState.end) {
      if (keptState.environment === environment && keptState.agent_id === agent_id) return keptState.found;
    }
    const window = windowOf(owner, budget, index);
    const { start, end } = partAt(budget, index) ?? windowAt(budget.window, index) ?? ALWAYS;
    last.set(budget, { environment, agent_id, start, end, found: window });
    return window;
  };
}

/**
 * Returns the period around an instant in which a rolling window keeps the same spans. A new period begins with each
 * new span. Returns `undefined` if the window is not rolling.
 */
function partAt({ window }: PolicyBudget, atMs: number): WindowSpan | undefined {
  const seconds = rollingSeconds(window);
  if (seconds === undefined) return undefined;
  const part = partOf(seconds);
  const start = Math.floor(atMs / part) * part;
  return { start, end: start + part };
}

const ALWAYS: WindowSpan = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

export function holdsCounter({ environment, agent_id }: BudgetOwner): string {
  return `holds:${environment}:${agent_id}`;
}

export function adderAt(instant: Instant): Adder {
  return (counter, delta, { expires_at }, max) => {
    const op = 'add';
    // The object is a literal: a spread takes as long as the whole plan.
    if (expires_at === null)
      return max === undefined
        ? { op, counter, by: delta, at: instant }
        : { op, counter, by: delta, at: instant, max };
    if (max === undefined) return { op, counter, by: delta, at: instant, expires_at };
    return { op, counter, by: delta, at: instant, max, expires_at };
  };
}

type Adder = (counter: string, delta: number, end: Pick<UsedCounter, 'expires_at'>, max?: number) => Change;
