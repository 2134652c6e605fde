import { IdentityError } from '../../src/errors.ts';
import { type JsonLimits, readJson } from '../../src/json/read-json.ts';

/** The UTF-8 bytes of a text. */
export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What readJson makes of a text. */
export function read(text: string): unknown {
  return readJson(encode(text));
}

/** The `invalid_json` that refuses a body; `undefined` when it is read. Any other error is thrown on. */
export function refusal(body: string | Uint8Array, limits: JsonLimits = {}): IdentityError | undefined {
  try {
    readJson(typeof body === 'string' ? encode(body) : body, limits);
    return undefined;
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'invalid_json') return error;
    throw error;
  }
}

/** What JSON.parse makes of the bytes, in a box; `undefined` when it throws or they are no UTF-8. */
export function parsed(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}
