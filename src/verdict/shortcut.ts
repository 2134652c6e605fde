import type { Reason, Verdict } from '../records.ts';
import type { Facts } from './rule.ts';
import { denialsOf, headsOf, reasonsOf } from './rules.ts';

/** The bits of `action_denied` to `currency_invalid`, which tell no particulars: their reasons are the same for all. */
const FIRST = 5;
const CONSTANT = 0b1111_1111 << FIRST;

/** The verdict for each combination of them; the first, for none of them, is ALLOW. */
const CONSTANT_VERDICTS: readonly Verdict[] = Array.from({ length: 1 << 8 }, (_, combination) =>
  sharedVerdict(headsOf(combination << FIRST)),
);

/** @internal What the default rules answer together: the same as one after the other, at once. */
export function defaultVerdict(facts: Facts): Verdict {
  const denials = denialsOf(facts);
  if ((denials & ~CONSTANT) === 0) return CONSTANT_VERDICTS[denials >> FIRST] as Verdict;
  return verdictOf(reasonsOf(denials, facts));
}

/** @internal A verdict for all who ask, so that none of them can change it. */
export function sharedVerdict(reasons: readonly Reason[]): Verdict {
  return Object.freeze(verdictOf(Object.freeze(reasons)));
}

/** @internal ALLOW exactly when there are no reasons. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  return { verdict: reasons.length === 0 ? 'ALLOW' : 'DENY', reasons };
}
