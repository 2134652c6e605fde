/** An envelope of AIP-1 is verified: the envelope itself, what its boundaries allow, and the passport that we hold. */
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
 * Notes a nonce, in one step with the answer whether it was noted before. It has to be kept until `expires_at`, in
 * milliseconds.
 */
export type NoteNonce = (nonce: string, expires_at: number) => boolean | Promise<boolean>;

/** What an envelope is verified by. */
export type AipOptions = AipKeyOptions & {
  /** The nonces that were seen: a set of one process, or a function that notes them for several. */
  readonly seen: Set<string> | NoteNonce;
  /** Absent: only what the envelope says is judged. */
  readonly service?: AipVerifier;
  /** Milliseconds since the Unix epoch; default now. */
  readonly at?: number;
  /** The code of the country from which the request comes; without it an envelope with `geo_restriction` is refused. */
  readonly geo?: string;
};

const OPTIONS: OptionNames<AipOptions> = {
  ...{ publicKey: true, hmacKey: true, seen: true, service: true, at: true, geo: true },
};

/** The result for an envelope. */
export interface AipResult {
  /** Exactly when there are no errors. */
  readonly valid: boolean;
  readonly errors: readonly AipErrorCode[];
  /** What the service said; `null` where it was not asked. */
  readonly record: VerdictRecord | null;
}

/** Characters: `nonce:` and 16 bytes in hex. */
const NONCE_LENGTH = 38;

/**
 * Verifies an envelope, as an object or as JSON text: version, schema, expiry, nonce, replay and signature, of which the
 * first that fails is the error; then every boundary that objects; then, where none does, the passport of the
 * service. An envelope that is refused does not use its nonce up.
 * `invalid_configuration` for invalid options; an outage of the service is thrown.
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

/** Of two calls for one nonce at the same time, the second finds it noted. */
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

/** The service spends once for the nonce, also for two calls at the same time. */
async function judgeThenNote(
  { nonce, expiresAt }: Envelope,
  intent: Intent,
  note: NoteNonce,
  service: AipVerifier | undefined,
): Promise<AipResult> {
  const result = await judge(service, intent, nonce);
  if (!result.valid) return result;
  // Only `false` says that it was not seen.
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

/** What the service says of a key under which another intent came, or the same one is under way. */
const REPLAYS: readonly string[] = ['idempotency_mismatch', 'conflict'];

/** A nonce may be any text; a key of the service is printable ASCII. */
async function keyOf(nonce: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(nonce));
  return `aip:${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function refusal(errors: readonly AipErrorCode[]): AipResult {
  return { valid: false, errors, record: null };
}

function wrong(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
