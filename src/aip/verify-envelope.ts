/** The verification of an AIP-1 envelope: the envelope itself, its boundaries, and the passport of the service. */
import { toHex } from '../base/bytes/hex.ts';
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { IdentityError } from '../errors.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import { signedBytes } from './canonical.ts';
import { type AipKeyOptions, checkWith } from './envelope-key.ts';
import { type AipErrorCode, errorCodesOf } from './error-codes.ts';
import { boundaryErrors, intentOf } from './judged-intent.ts';
import { type Envelope, readEnvelope } from './read-envelope.ts';

/** A service in this process, whose passports are judged as well. */
export interface AipVerifier {
  verify(intent: Intent, caller: { readonly idempotencyKey: string }): Promise<VerdictRecord>;
}

/**
 * Records a nonce and says whether it was recorded before, in one atomic step. The record must be kept until
 * `expires_at`, in milliseconds.
 */
export type NoteNonce = (nonce: string, expires_at: number) => boolean | Promise<boolean>;

/** The options of a verification. */
export type AipOptions = AipKeyOptions & {
  /** The nonces that were used: a set for one process, or a function that records them for several. */
  readonly seen: Set<string> | NoteNonce;
  /** The service to ask; absent: only the envelope is judged. */
  readonly service?: AipVerifier;
  /** The instant in milliseconds since the Unix epoch; default now. */
  readonly at?: number;
  /** The code of the country that the request comes from; without it an envelope with `geo_restriction` is refused. */
  readonly geo?: string;
};

const OPTIONS: OptionNames<AipOptions> = {
  ...{ publicKey: true, hmacKey: true, seen: true, service: true, at: true, geo: true },
};

/** The result for an envelope. */
export interface AipResult {
  /** True exactly when there are no errors. */
  readonly valid: boolean;
  readonly errors: readonly AipErrorCode[];
  /** The verdict of the service; `null` when it was not asked. */
  readonly record: VerdictRecord | null;
}

/** The least number of characters: `nonce:` and 16 bytes in hex. */
const NONCE_LENGTH = 38;

/**
 * Verifies an envelope, given as an object or as JSON text. First checks version, schema, expiry, nonce, replay and
 * signature, and returns the first error. Then checks all boundaries and returns every error. Then, without errors,
 * asks the service about the passport. A refused envelope does not use up its nonce. Throws `invalid_configuration` for
 * invalid options, and the error of the service in an outage.
 */
export async function verifyAipEnvelope(envelope: unknown, options: AipOptions): Promise<AipResult> {
  const { at = Date.now(), geo, seen, service } = knownOptions('verifyAipEnvelope', options, OPTIONS);
  if (!Number.isFinite(at)) throw wrong('at must be milliseconds since the Unix epoch.');
  if (!(seen instanceof Set) && typeof seen !== 'function') throw wrong('seen must be a Set or a function.');
  const isSigned = await checkWith(options);
  const read = readEnvelope(envelope);
  if (typeof read === 'string') return refusal([read]);
  const { nonce, expiresAt, tier, data, proofValue } = read;
  if (at > expiresAt) return refusal(['AIP-E101']);
  if (nonce.length < NONCE_LENGTH) return refusal(['AIP-E105']);
  if (seen instanceof Set && seen.has(nonce)) return refusal(['AIP-E102']);
  if (!(await isSigned(tier, signedBytes(data), proofValue))) return refusal(['AIP-E100']);
  const intent = intentOf(read);
  if (intent === undefined) return refusal(['AIP-E103']);
  const errors = boundaryErrors(read, intent, { at, geo });
  if (errors.length > 0) return refusal(errors);
  return seen instanceof Set
    ? judgeOnce(read, intent, seen, service)
    : judgeThenNote(read, intent, seen, service);
}

/** Judges an envelope with a set of nonces. Of two concurrent calls with one nonce, the second finds it recorded. */
async function judgeOnce(
  { nonce }: Envelope,
  intent: Intent,
  seen: Set<string>,
  service: AipVerifier | undefined,
): Promise<AipResult> {
  if (seen.has(nonce)) return refusal(['AIP-E102']);
  seen.add(nonce);
  let isKept = false;
  try {
    const result = await judge(service, intent, nonce);
    isKept = result.valid;
    return result;
  } finally {
    if (!isKept) seen.delete(nonce);
  }
}

/** Judges an envelope, then records its nonce. The service spends once for the nonce, also for two concurrent calls. */
async function judgeThenNote(
  { nonce, expiresAt }: Envelope,
  intent: Intent,
  note: NoteNonce,
  service: AipVerifier | undefined,
): Promise<AipResult> {
  const result = await judge(service, intent, nonce);
  if (!result.valid) return result;
  // Only `false` means that it was not used before.
  return (await note(nonce, expiresAt)) === false ? result : refusal(['AIP-E102']);
}

async function judge(service: AipVerifier | undefined, intent: Intent, nonce: string): Promise<AipResult> {
  if (service === undefined) return { valid: true, errors: [], record: null };
  try {
    const record = await service.verify(intent, { idempotencyKey: await keyOf(nonce) });
    if (record.verdict === 'ALLOW') return { valid: true, errors: [], record };
    return { ...refusal(errorCodesOf(record.reasons)), record };
  } catch (error) {
    const isReplay = error instanceof IdentityError && REPLAYS.includes(error.code);
    if (isReplay) return refusal(['AIP-E102']);
    throw error;
  }
}

/**
 * The errors of the service for a key that came with another intent, or with the same one that is still in progress.
 */
const REPLAYS: readonly string[] = ['idempotency_mismatch', 'conflict'];

/** Returns the idempotency key for a nonce. A nonce may be any text; a key is printable ASCII. */
async function keyOf(nonce: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(nonce));
  return `aip:${toHex(new Uint8Array(digest))}`;
}

function refusal(errors: readonly AipErrorCode[]): AipResult {
  return { valid: false, errors, record: null };
}

function wrong(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
