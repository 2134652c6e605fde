import type { Reason, Verdict } from '../records.ts';
import { headsOf } from './codes.ts';
import type { Facts } from './rule.ts';

/** The bits of `action_denied` to `currency_invalid`, which tell no particulars: their reasons are the same for all. */
const CONSTANT = 0b1_1111_1110_0000;

/** @internal The reasons of the rules whose bits are set. */
export function reasonsOf(denials: number, facts: Facts): readonly Reason[] {
  const heads = headsOf(denials);
  return denials & ~CONSTANT ? heads.map((head) => reasonOf(head, facts)) : heads;
}

/** The reason with what it tells besides its sentence. */
function reasonOf(head: Reason, { policy, amount, currency }: Facts): Reason {
  const { code, message } = head;
  if (code === 'amount_over_limit') return { code, message, limit: policy.limitText, actual: String(amount) };
  if (code === 'currency_mismatch')
    return { code, message, expected: policy.currency, actual: currency ?? null };
  const told = policy.times?.told[code];
  return told === undefined ? head : { ...head, ...told };
}

/** @internal ALLOW exactly when there are no reasons. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  return { verdict: reasons.length === 0 ? 'ALLOW' : 'DENY', reasons };
}
