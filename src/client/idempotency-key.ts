import { invalidRequest } from '../errors.ts';

/** Returns the header with the given or a new key. Throws `invalid_request` for an invalid key. */
export function idempotencyKeyOf(given: string | undefined): { readonly 'idempotency-key': string } {
  return { 'idempotency-key': checkedKey(given ?? crypto.randomUUID()) };
}

/** Checks a key here, because the error of fetch for a bad header would contain its value. */
function checkedKey(text: string): string {
  if (/^[\x20-\x7e]+$/.test(text)) return text;
  const message = 'An idempotency key has 1 to 255 printable ASCII characters.';
  throw invalidRequest([{ path: '', code: 'invalid_idempotency_key', message }]);
}

/** The option of a call that is sent under a key. */
export const ONCE = { idempotencyKey: true } as const;
