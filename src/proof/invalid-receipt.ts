/** The errors of a receipt. */
import { IdentityError } from '../errors.ts';

/** The problems of a receipt, each with its sentence. The first failed check is the problem. */
const SENTENCES = {
  malformed: 'It is not an entry with a proof',
  unsigned: 'No trusted key signed its checkpoint',
  signature: 'A signature is not that of the key',
  origin: 'Its checkpoint is not about the log of the key',
  proof: 'The proof does not lead to the root',
  entry: 'The entry is of another kind',
  block: 'The block is not the one of the entry',
  place: 'The block has no such record',
  subject: 'The record has no such subject',
} as const;

/** The first check that a receipt failed. */
export type ReceiptProblem = keyof typeof SENTENCES;

/** Makes an `invalid_token` with `details.problem`. It contains nothing of the receipt. */
export function invalidReceipt(problem: ReceiptProblem, cause?: unknown): IdentityError {
  return new IdentityError('invalid_token', `The receipt is refused: ${SENTENCES[problem]}.`, {
    cause,
    details: { problem },
  });
}
