/**
 * Plans the steps of a write that count an intent in its paces, and reads their results. A pace limits intents per
 * time.
 */
import { formatInstant } from '../../base/values/instant.ts';
import { fitsFrom, partOf, SPAN_PARTS, spanEnd, spansAt } from '../../base/values/spans.ts';
import type { Change } from '../../ports/storage.ts';
import type { Environment, Instant, Reason } from '../../records.ts';
import { type PaceTaking, type PolicyPace, paceExceeded } from '../../verdict/pace.ts';
import { groupSteps, type StepGroup, type StepsAnswer } from '../storage/step-groups.ts';
import { adderAt, type BudgetOwner } from './counters.ts';

/** The paces to count in. `at` and `present` are instants by the clock of the storage. */
export interface PaceRequest {
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
