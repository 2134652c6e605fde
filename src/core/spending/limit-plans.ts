/**
 * Plans the steps of a write for rules of order. Such a rule requires or forbids earlier actions. A mark is a counter
 * that records an earlier action.
 */

import { toBase64Url } from '../../base/bytes/base64url.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { canonicalJson } from '../../base/values/json-values.ts';
import { fitsFrom, partOf, SPAN_PARTS, spanEnd, spansAt } from '../../base/values/spans.ts';
import { IdentityError } from '../../errors.ts';
import { hashing } from '../../platform/index.ts';
import type { Change } from '../../ports/storage.ts';
import type { Environment, Instant, Intent, Reason } from '../../records.ts';
import type { OrderKind, OrderTaking } from '../../verdict/order.ts';
import { orderValues } from '../../verdict/order-values.ts';
import { orderDenied, type PaceTaking, type PolicyPace, paceExceeded } from '../../verdict/pace.ts';
import { answered, groupSteps, type StepGroup, type StepsAnswer } from '../storage/step-groups.ts';
import { notWritten, type Store } from '../storage/store.ts';
import { adderAt, type BudgetOwner } from './counters.ts';

/** The rules of order to check. `at` and `present` are instants by the clock of the storage. */
export interface OrderRequest {
  readonly environment: Environment;
  readonly takings: readonly OrderTaking[];
  readonly intent: Intent;
  readonly isTrial: boolean;
  readonly at: number;
  readonly present: Instant;
}

export interface OrderPlan {
  readonly changes: readonly Change[];
  reasonsOf(answer: StepsAnswer, store: Pick<Store, 'write'>): Promise<readonly Reason[]>;
}

const NO_ORDER: OrderPlan = { changes: [], reasonsOf: async () => [] };

export function planOrder({ environment, takings, intent, isTrial, at, present }: OrderRequest): OrderPlan {
  // Most agents have no order: for them nothing is allocated.
  if (takings.length === 0) return NO_ORDER;
  const groups = takings.map((taking): StepGroup<OrderTaking> => [taking, stepsOf(taking)]);
  const steps = groupSteps(...groups);

  function stepsOf(taking: OrderTaking): readonly Change[] {
    const { order, isChecked, isMarked } = taking;
    const { kind, seconds, failed } = order;
    const key = orderKey(taking, environment, intent);
    const counter = markCounter(kind, key);
    const max = kind === 'needs' ? -1 : failed - 1;
    const check: Change = { op: 'add', counter, by: 0, max, at: present };
    const checks = isChecked ? [check] : [];
    if (kind !== 'forbids' || isTrial) return checks;
    const expires_at = formatInstant(at + seconds * 1_000);
    // Checks and marks of one key take turns here: two nodes that only read would pass each other.
    const gate: Change = { op: 'add', counter: gateCounter(key), by: 1, at: present, expires_at };
    const mark: Change = { op: 'add', counter, by: 1, at: present, expires_at, renew: true };
    return [gate, ...checks, ...(isMarked ? [mark] : [])];
  }

  return {
    changes: steps.changes,
    async reasonsOf(answer, store) {
      const lostTakings = takings.filter((taking) => steps.failed(answer).has(taking));
      return Promise.all(
        lostTakings.map(async (taking) => {
          const { kind } = taking.order;
          if (kind === 'needs') return orderDenied(taking, at);
          const counter = markCounter(kind, orderKey(taking, environment, intent));
          return orderDenied(taking, await endOf(store, counter, at));
        }),
      );
    },
  };
}

/**
 * The length of the key of a mark in bytes. The `mark` of an answer contains one key for each rule of order of the
 * agent and its ancestors.
 */
export const KEY_BYTES = 18;

/**
 * Returns the key that names the marks of a rule of order. The key contains the digest of the values that the rule
 * compares (`same`), such as the target of the intent. The key stays the same if the actions or the seconds of the rule
 * are edited.
 */
export function orderKey(
  { agent_id, order }: Pick<OrderTaking, 'agent_id' | 'order'>,
  environment: Environment,
  intent: Intent,
): string {
  const { action, target, parameters } = intent;
  const values = orderValues(order, { action, target, parameters, intent });
  // The verdict has looked for them.
  if (values === undefined) throw new IdentityError('internal', 'A value of the order is not there.');
  const sameTexts = order.same.map(({ text }) => text);
  const counterName = canonicalJson([environment, agent_id, order.name, sameTexts, values]);
  return toBase64Url(hashing.sha256(counterName).subarray(0, KEY_BYTES));
}

export function markCounter(kind: OrderKind, key: string): string {
  return `order-mark:${kind}:${key}`;
}

/**
 * Returns the name of the counter that makes the writes for one key wait for each other. The name sorts
 * before the names of all marks, so a storage locks this counter first.
 */
function gateCounter(key: string): string {
  return `order-gate:${key}`;
}

/**
 * The number of parts into which `endOf` divides a range of time in each round. One write reads the counter at each
 * border between two parts. A storage does not return the end of a counter, so `endOf` must search for it.
 */
const LOOKS = 40;
const ROUNDS = 5;

/** Returns the instant at which a counter expires, after which its value is 0. The instant is at most 28 hours away. */
async function endOf(store: Pick<Store, 'write'>, counter: string, atMs: number): Promise<number> {
  let start = atMs;
  for (let round = ROUNDS - 1; round >= 0; round -= 1) {
    const width = LOOKS ** round;
    const looks = Array.from({ length: LOOKS - 1 }, (_, place): Change => {
      return { op: 'add', counter, by: 0, at: formatInstant(start + (place + 1) * width) };
    });
    const { written, values } = answered(await store.write(...looks));
    if (!written) throw notWritten();
    start += values.filter((value) => value !== 0).length * width;
  }
  return start + 1;
}

// Plans the steps of a write that count an intent in its paces, and reads their results. A pace limits
// intents per time.

/** The paces to count in. `at` and `present` are instants by the clock of the storage. */
interface PaceRequest {
  readonly environment: Environment;
  readonly takings: readonly PaceTaking[];
  readonly isTrial: boolean;
  readonly at: number;
  readonly present: Instant;
}

export interface PacePlan {
  readonly changes: readonly Change[];
  reasonsOf(answer: StepsAnswer): readonly Reason[];
}

const NO_PACE: PacePlan = { changes: [], reasonsOf: () => [] };

export function planPace({ environment, takings, isTrial, at, present }: PaceRequest): PacePlan {
  // Most agents have no pace: for them nothing is allocated.
  if (takings.length === 0) return NO_PACE;
  const addAt = adderAt(present);
  const groups = takings.map((taking): StepGroup<PaceTaking> => {
    const { agent_id, pace } = taking;
    const owner = { environment, agent_id };
    return [taking, pace.max === 1 ? cooldownSteps(owner, pace) : spanSteps(owner, pace)];
  });
  const steps = groupSteps(...groups);

  function add(counter: string, delta: number, max: number, end: number): Change {
    const ending = { expires_at: formatInstant(end) };
    return isTrial ? addAt(counter, 0, ending, max - delta) : addAt(counter, delta, ending, max);
  }

  /**
   * Returns the step of a cooldown. Its counter holds the instant of the last intent, so that a denial can name the end
   * of the cooldown.
   */
  function cooldownSteps(owner: BudgetOwner, { name, seconds }: PolicyPace): readonly Change[] {
    return [add(cooldownCounter(owner, name, seconds), at, at, at + seconds * 1_000)];
  }

  function spanSteps(owner: BudgetOwner, { name, seconds, max }: PolicyPace): readonly Change[] {
    return spansAt(seconds, at).map((span) => {
      return add(spanCounter(owner, name, seconds, span), 1, max, spanEnd(seconds, span));
    });
  }

  return {
    changes: steps.changes,
    reasonsOf(answer) {
      const lostTakings = steps.failed(answer);
      return takings
        .filter((taking) => lostTakings.has(taking))
        .map((taking) => paceExceeded(taking, untilOf(taking.pace, at, steps.of(taking, answer).values)));
    },
  };
}

/** Returns the instant from which an intent passes if no other intent is allowed before. */
function untilOf({ max, seconds }: PolicyPace, atMs: number, values: readonly number[]): number {
  if (max === 1) return (values[0] ?? atMs) + seconds * 1_000;
  return fitsFrom(seconds, spansAt(seconds, atMs), values, { by: 1, max }) ?? atMs;
}

export function paceCounters(owner: BudgetOwner, { name, seconds }: PolicyPace): readonly string[] {
  const spans = Array.from({ length: counterNumber(seconds) }, (_, span) => span);
  return [
    cooldownCounter(owner, name, seconds),
    ...spans.map((span) => spanCounter(owner, name, seconds, span)),
  ];
}

function cooldownCounter({ environment, agent_id }: BudgetOwner, name: string, seconds: number): string {
  return `cooldown:${environment}:${seconds}:${name}:${agent_id}`;
}

function spanCounter(
  { environment, agent_id }: BudgetOwner,
  name: string,
  seconds: number,
  span: number,
): string {
  return `pace:${environment}:${seconds}:${span % counterNumber(seconds)}:${name}:${agent_id}`;
}

/**
 * The maximum delay of a write in milliseconds: a clock is off by at most 5 seconds, and a call takes at most 1 second.
 */
const LATE_MS = 6_000;

/**
 * Returns the number of counters of a pace. The pace counts intents in spans of time, and a new span uses the
 * counter of an old span again. If there were fewer counters, a late write for the old span could change the
 * count of the new span.
 */
function counterNumber(seconds: number): number {
  return SPAN_PARTS + Math.ceil(LATE_MS / partOf(seconds));
}
