import { formatInstant } from '../base/values/instant.ts';
import { replace } from '../core/storage/store.ts';
import { IdentityError, unfit } from '../errors.ts';
import { generateKeyPair } from '../platform/signing.ts';
import type { PublicSigningKey, SigningAlgorithm, SigningPurpose } from '../ports/signer.ts';
import type { Change } from '../ports/storage.ts';
import type { Instant } from '../records.ts';
import { isLive, type SigningKeyState, signingKeyAt, stateAt } from '../tokens/signing/key-state.ts';
import type { KeySealing } from '../tokens/signing/sealing.ts';
import { thumbprintOf } from '../tokens/signing/thumbprint.ts';
import type { SigningKeyRecord } from './collections.ts';

/** A signing key without its private key, as operators see it. */
export interface SigningKey extends PublicSigningKey {
  /** The state of the key when the service answers. */
  readonly state: SigningKeyState;
  /** The instant of its creation. */
  readonly created_at: Instant;
  /** The instant of its revocation; `null` if it is not revoked. */
  readonly revoked_at: Instant | null;
}

/**
 * The milliseconds between the publication of a key and its first signature. Caches keep the JWK set for half of that
 * time, so every verifier then has the new key.
 */
export const PREPUBLISH_MS = 600_000;

/** The milliseconds for which a retired key stays published: the longest validity of a token, and 600 s. */
const OVERLAP_MS = 86_400_000 + 600_000;

export const PASSPORT_PURPOSE: SigningPurpose = 'passport';

export const LOG_PURPOSE: SigningPurpose = 'log';

const LOG_OVERLAP_MS = 30 * 86_400_000;

/** The properties of a new key. */
export interface KeyPlan {
  readonly purpose: SigningPurpose;
  readonly alg: SigningAlgorithm;
  readonly sealing: KeySealing;
  /** The instant of its creation, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The instant from which it signs, in milliseconds since the Unix epoch. */
  readonly from: number;
}

/**
 * Creates the next signing key and numbers it after the existing keys.
 *
 * @throws {IdentityError} `invalid_configuration` if the runtime does not support the algorithm.
 */
export async function makeKey(
  records: readonly SigningKeyRecord[],
  { purpose, alg, sealing, at, from }: KeyPlan,
): Promise<SigningKeyRecord> {
  const { private_jwk, public_jwk } = await generateKeyPair(alg).catch((cause: unknown) => {
    const hint = alg === 'EdDSA' && purpose === PASSPORT_PURPOSE ? ": pass identity({ alg: 'ES256' })." : '.';
    const message = `This runtime cannot make keys for ${alg}${hint}`;
    throw new IdentityError('invalid_configuration', message, { cause });
  });
  const kid = thumbprintOf(public_jwk);
  const last = Math.max(0, ...records.map(({ id }) => Number(id.slice(id.indexOf(':') + 1))));
  return {
    id: `${purpose}:${last + 1}`,
    account_id: '',
    version: 1,
    created_at: formatInstant(at),
    kid,
    purpose,
    alg,
    public_jwk,
    sealed: await sealing.seal(kid, private_jwk),
    not_before: formatInstant(from),
    retire_at: null,
    revoked_at: null,
  };
}

/** Sets the end of the current key of a purpose, some time after its successor begins to sign. */
export function retireSigning(
  records: readonly SigningKeyRecord[],
  { purpose, at, from }: Pick<KeyPlan, 'purpose' | 'at' | 'from'>,
): Change[] {
  const signing = signingKeyAt(records, purpose, formatInstant(at));
  if (signing === undefined) return [];
  const overlap = purpose === LOG_PURPOSE ? LOG_OVERLAP_MS : OVERLAP_MS;
  return [change(signing, { retire_at: formatInstant(Math.max(at, from) + overlap) })];
}

/**
 * Returns the algorithm for new keys of a purpose. Keys of the evidence log use Ed25519, because its
 * checkpoints are signed notes, and signed notes use only Ed25519. Other keys use `usual`.
 */
export function algorithmFor(purpose: SigningPurpose, usual: SigningAlgorithm): SigningAlgorithm {
  return purpose === LOG_PURPOSE ? 'EdDSA' : usual;
}

export function change(record: SigningKeyRecord, fields: Partial<SigningKeyRecord>): Change {
  const version = record.version + 1;
  return replace('signing_keys', { ...record, ...fields, version }, record.version);
}

export function liveKeys(records: readonly SigningKeyRecord[], atMs: number): readonly SigningKeyRecord[] {
  const instant = formatInstant(atMs);
  return records.filter((key) => isLive(key, instant));
}

export function toPublicKey(record: SigningKeyRecord): PublicSigningKey {
  const { kid, purpose, alg, public_jwk, not_before, retire_at } = record;
  return { kid, purpose, alg, public_jwk, not_before, retire_at };
}

/** Returns the key without its private key, as operators see it. */
export function toSigningKey(
  record: SigningKeyRecord,
  records: readonly SigningKeyRecord[],
  atMs: number,
): SigningKey {
  const { created_at, revoked_at } = record;
  return {
    ...toPublicKey(record),
    state: stateAt(record, records, formatInstant(atMs)),
    created_at,
    revoked_at,
  };
}

/** Returns the error for a valid key that the secret cannot decrypt. It names the key and the solution. */
export function sealedByAnother({ kid }: SigningKeyRecord): IdentityError {
  return unfit(
    `The secret does not open the signing key ${kid}: give the previous one as well and run agent-identity signing-key reseal. If you lost it, run agent-identity signing-key revoke ${kid}`,
  );
}
