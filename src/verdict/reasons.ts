import { amountText } from '../money.ts';
import type { Amount, Instant, Reason, Verdict } from '../records.ts';
import { ACTION_DENIED, AMOUNT_OVER_LIMIT, CURRENCY_MISMATCH, HEADS } from './codes.ts';
import type { Judged } from './rule.ts';

/** What reasons tell of a passport, and the verdicts on it that were asked for, by their bits. */
export interface Told {
  /** By the place of the code. */
  readonly particulars: readonly (Readonly<Record<string, Instant | null>> | null)[];
  readonly known: Verdict[];
}

/** @internal What is told of passports that may act: the same of all. 64 kB, so that it is a list and no table. */
export const ALIKE: Told = { particulars: [], known: new Array(CURRENCY_MISMATCH) };

/** @internal The verdict of the rules whose bits are set. */
export function verdictOn(
  denials: number,
  { policy, amount, currency }: Pick<Judged, 'policy' | 'amount' | 'currency'>,
): Verdict {
  // The last two rules, of which at most one denies, tell what was asked: their reasons are never the same.
  // What a passport has of its own is only told while it denies.
  const told = (denials % ACTION_DENIED && policy.times) || ALIKE;
  const shared = sharedVerdict(denials % CURRENCY_MISMATCH, told);
  if (denials < CURRENCY_MISMATCH) return shared;
  const { code, message } = HEADS[14] as Reason;
  const last = (
    denials & AMOUNT_OVER_LIMIT
      ? { code, message, limit: policy.limitText, actual: amountText(amount as Amount) }
      : { ...HEADS[13], expected: policy.currency, actual: currency ?? null }
  ) as Reason;
  // To spread nothing takes a tenth of a verdict.
  return verdictOf(shared === ALLOW ? [last] : [...shared.reasons, last]);
}

/** @internal A verdict for all who ask, so that none of them can change it. */
export function sharedVerdict(denials: number, told: Told): Verdict {
  const { particulars, known } = told;
  const found = known[denials];
  if (found !== undefined) return found;
  const reasons = HEADS.flatMap((head, place) =>
    (denials >> place) & 1 ? (Object.freeze({ ...head, ...particulars[place] }) as Reason) : [],
  );
  const verdict = Object.freeze(verdictOf(Object.freeze(reasons)));
  // Of one passport only the verdicts that it may well get often, so that nobody can fill the memory with all others.
  if (told === ALIKE || denials < ACTION_DENIED) known[denials] = verdict;
  return verdict;
}

/** @internal The verdict of no rule. */
export const ALLOW: Verdict = sharedVerdict(0, ALIKE);

/** @internal ALLOW exactly when there are no reasons. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  return { verdict: reasons.length === 0 ? 'ALLOW' : 'DENY', reasons };
}
