/** Receipts of verdicts over HTTP. */
import type { IdentityError } from '../errors.ts';
import type { VerdictReceipt } from '../records/log.ts';
import type { ClientVerifications } from '../service.ts';
import { pathOf } from './path-of.ts';
import { queryOf } from './query.ts';
import type { RequestOptions } from './transport.ts';

/**
 * Makes the method of receipts; `get` sends a request, and `notThisAnswer` makes the error for an answer about another
 * verdict.
 */
export function receiptsOf(
  get: (path: string, options: RequestOptions | undefined) => Promise<unknown>,
  notThisAnswer: () => IdentityError,
): ClientVerifications {
  return {
    async receipt(id, query = {}, options) {
      const answer = await get(`${pathOf`/verifications/${id}/receipt`}${queryOf(query)}`, options);
      if (isReceiptOf(answer, id)) return answer;
      throw notThisAnswer();
    },
  };
}

/** Says whether the answer is a receipt. One with a record says of which verdict; one with a block has to be opened. */
function isReceiptOf(answer: unknown, id: string): answer is VerdictReceipt {
  const { kind, entry, proof } = Object(answer) as Partial<VerdictReceipt>;
  if (typeof entry !== 'string' || typeof proof !== 'string') return false;
  return kind === 'block' || (kind === 'record' && decisionIn(entry) === id);
}

function decisionIn(entry: string): unknown {
  try {
    const { record } = Object(JSON.parse(entry)) as { readonly record?: unknown };
    return (Object(record) as { readonly decision_id?: unknown }).decision_id;
  } catch {
    return undefined;
  }
}
