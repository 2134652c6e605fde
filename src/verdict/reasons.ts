import { amountText } from '../money.ts';
import type { Reason, Verdict } from '../records.ts';
import { AMOUNT_OVER_LIMIT, CURRENCY_MISMATCH, headsOf } from './codes.ts';
import type { Facts } from './rule.ts';

/** The bits of `action_denied` to `currency_invalid`, which tell no particulars: their reasons are the same for all. */
const FIRST = 5;
const CONSTANT = 0b1111_1111 << FIRST;

/** The verdict for each combination of them; the first, for none of them, is ALLOW. */
const CONSTANT_VERDICTS: readonly Verdict[] = Array.from({ length: 1 << 8 }, (_, combination) =>
  sharedVerdict(headsOf(combination << FIRST)),
);

const [MISMATCH, OVER_LIMIT] = headsOf(CURRENCY_MISMATCH | AMOUNT_OVER_LIMIT) as [Reason, Reason];

/** @internal The verdict of the rules whose bits are set. */
export function verdictOn(denials: number, facts: Facts): Verdict {
  if ((denials & ~CONSTANT) === 0) return constantOf(denials);
  const pause = facts.policy.pauses?.find(({ denial }) => denial === denials);
  return pause?.verdict ?? verdictOf(reasonsOf(denials, facts));
}

/** @internal The reasons of the rules whose bits are set. */
export function reasonsOf(denials: number, facts: Facts): readonly Reason[] {
  const { reasons } = constantOf(denials);
  const { pauses } = facts.policy;
  const last = lastOf(denials, facts);
  if (pauses === undefined && last !== undefined) return reasons.length === 0 ? [last] : [...reasons, last];
  const paused = pauses?.filter(({ denial }) => denial & denials).flatMap(({ verdict }) => verdict.reasons);
  return [...(paused ?? []), ...reasons, ...(last === undefined ? [] : [last])];
}

/** The reason that tells of the amount or its currency: there is none of both. */
function lastOf(denials: number, { policy, amount, currency }: Facts): Reason | undefined {
  if (denials & CURRENCY_MISMATCH)
    return { ...MISMATCH, expected: policy.currency, actual: currency ?? null };
  if (denials & AMOUNT_OVER_LIMIT) {
    const { code, message } = OVER_LIMIT;
    return { code, message, limit: policy.limitText, actual: amountText(amount ?? 0) };
  }
  return undefined;
}

function constantOf(denials: number): Verdict {
  return CONSTANT_VERDICTS[(denials & CONSTANT) >> FIRST] as Verdict;
}

/** @internal A verdict for all who ask, so that none of them can change it. */
export function sharedVerdict(reasons: readonly Reason[]): Verdict {
  return Object.freeze(verdictOf(Object.freeze(reasons)));
}

/** @internal ALLOW exactly when there are no reasons. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  return { verdict: reasons.length === 0 ? 'ALLOW' : 'DENY', reasons };
}
