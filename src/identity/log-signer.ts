/** The keys that sign the checkpoints of evidence logs. */
import { fromBase64Url } from '../base/bytes/base64url.ts';
import { formatInstant } from '../base/values/instant.ts';
import { IdentityError, unfit } from '../errors.ts';
import type { PublicSigningKey, Signer } from '../ports/signer.ts';
import type { Clock } from '../ports/storage.ts';
import type { Instant } from '../records.ts';
import { isLive, signingKeyAt } from '../tokens/signing/key-state.ts';
import { LOG_PURPOSE, type StoredSigner, toPublicKey } from './stored-signer.ts';

/** A key of the evidence log. */
export interface LogKey {
  /** The 32 bytes of the public key. */
  readonly publicKey: Uint8Array;
  /** The instant at which the key stops signing; `null` if none is set. */
  readonly retired_at: Instant | null;
  /** Signs data. Absent if the key no longer signs. */
  readonly sign?: (data: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Returns every key with valid signatures, including retired keys.
 *
 * @throws {IdentityError} `invalid_configuration` if no key can sign.
 */
export type LogSigner = () => Promise<readonly LogKey[]>;

/** Creates the function that returns the keys of the evidence log. */
export function createLogSigner(clock: Clock, signer: StoredSigner | Signer): LogSigner {
  return 'signWith' in signer ? () => storedKeys(signer, clock) : () => outsideKeys(signer, clock);
}

async function storedKeys(signer: StoredSigner, clock: Clock): Promise<readonly LogKey[]> {
  const instant = formatInstant(clock.now());
  const records = await signer.allFor(LOG_PURPOSE);
  return records
    .filter(({ purpose, revoked_at }) => purpose === LOG_PURPOSE && revoked_at === null)
    .map((record) => ({
      ...toLogKey(toPublicKey(record)),
      ...(isLive(record, instant) && { sign: (data: Uint8Array) => signer.signWith(record, data) }),
    }));
}

async function outsideKeys(signer: Signer, clock: Clock): Promise<readonly LogKey[]> {
  const keys = (await signer.keys()).filter(({ purpose, alg }) => purpose === LOG_PURPOSE && alg === 'EdDSA');
  const live = keys.map((key) => ({ ...key, revoked_at: null }));
  const current = signingKeyAt(live, LOG_PURPOSE, formatInstant(clock.now()));
  if (current === undefined) {
    const message = 'identity.signer has no Ed25519 key for the purpose log, which a log needs.';
    throw unfit(message);
  }
  const sign = async (data: Uint8Array): Promise<Uint8Array> => {
    const { kid, signature } = await signer.sign(LOG_PURPOSE, data);
    if (kid === current.kid) return signature;
    throw new IdentityError('internal', 'The signer has changed its key: the next try knows the new one.');
  };
  return keys.map((key) => ({ ...toLogKey(key), ...(key.kid === current.kid && { sign }) }));
}

function toLogKey({ public_jwk, retire_at }: PublicSigningKey): Omit<LogKey, 'sign'> {
  return { publicKey: fromBase64Url(public_jwk.x) ?? new Uint8Array(), retired_at: retire_at };
}
