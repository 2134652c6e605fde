import { fromBase64Url } from '../../base/bytes/base64url.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { sessionKeyBytes } from '../../credential/session-secret.ts';
import { IdentityError, unfit } from '../../errors.ts';
import type { PublicSigningKey, Signer, SigningAlgorithm } from '../../ports/signer.ts';
import type { Clock } from '../../ports/storage.ts';
import type { Instant } from '../../records.ts';
import { type JwkSet, toJwkSet } from '../../tokens/signing/jwks.ts';
import { isLive, signingKeyAt } from '../../tokens/signing/key-state.ts';
import { createKeySealing } from '../../tokens/signing/sealing.ts';
import type { CoreOptions } from '../options.ts';
import type { Context } from '../shared/context.ts';
import { sealingSecrets } from '../shared/sealing-secrets.ts';
import type { PublicPlaces } from '../storage/public-reads.ts';
import { createSigningKeyChanges, type SigningKeyChanges } from './key-changes.ts';
import { LOG_PURPOSE, PASSPORT_PURPOSE, toPublicKey } from './key-record.ts';
import { signsNothing } from './signing-right.ts';
import { createStatusLists, type ReadStatusList } from './status-lists.ts';
import { createKeyList, createStoredSigner, type StoredSigner } from './stored-signer.ts';
import {
  createEd25519Signer,
  createTokenSigner,
  type SignEd25519,
  type TokenSigner,
} from './token-signer.ts';

/** The signing keys of the service. Only operators may call these methods, which do not check the caller. */
export interface Signing extends SigningKeyChanges {
  /** `true` if the service signs (option `identity`). */
  readonly isOn: boolean;
  /**
   * Returns the published keys as a JWK set (RFC 7517).
   *
   * @throws {IdentityError} `not_found` if the service does not sign.
   */
  jwks(): Promise<JwkSet>;
  /** `true` if passports are signed (option `identity.publicUrl`). */
  readonly signsPassports: boolean;
  /**
   * Returns the status list token with this id (Token Status List), at most 60 s old.
   *
   * @throws {IdentityError} `not_found` for an unknown id.
   */
  readonly statusList: ReadStatusList;
}

export type { SignEd25519 };

/** The signing keys, with methods that only the service uses. */
export interface OpenSigning extends Signing {
  /** Creates the first key. Rejects with `invalid_configuration` if the secret cannot decrypt the stored keys. */
  ready(): Promise<void>;
  /** The signer; absent if the service does not sign. */
  readonly signer: Signer | undefined;
  /** The signer of passports and status lists; absent if the service does not sign them. */
  readonly tokens: TokenSigner | undefined;
  /** Signs bytes with Ed25519. Absent if the service does not sign. */
  readonly signEd25519: SignEd25519 | undefined;
  /** Returns the keys of the evidence log. Absent if the service does not sign. */
  readonly logSigner: LogSigner | undefined;
  stop(): void;
}

/**
 * Creates the signing keys of one service.
 *
 * @throws {IdentityError} `invalid_configuration` if `identity` is set without a secret.
 */
export function createSigning(
  context: Pick<Context, 'store' | 'caches' | 'clock' | 'publicUrl' | 'subscribe' | 'log'>,
  options: CoreOptions,
  publicPlaces: PublicPlaces,
): OpenSigning {
  const { identity, session } = options;
  const alg = checkedAlgorithm(identity?.alg);
  const secrets = identity === undefined ? [] : checkedSecrets(options);
  const list = createKeyList(context);
  const sealing = createKeySealing(secrets);
  const secretLost = session?.secretLost === true && identity?.secret === undefined;
  const storedSigner = createStoredSigner(context, { keys: list, sealing, alg, secretLost });
  const signer = identity === undefined ? undefined : (identity.signer ?? storedSigner);
  const { publicUrl } = context;
  const tokens =
    signer === undefined || publicUrl === undefined ? undefined : createTokenSigner(signer, context.clock);
  const statusList: ReadStatusList =
    tokens === undefined || publicUrl === undefined
      ? async () => {
          throw signsNothing();
        }
      : createStatusLists(context, { tokens, publicUrl, publicPlaces });
  let preparing: Promise<void> | undefined;
  return {
    isOn: signer !== undefined,
    signsPassports: tokens !== undefined,
    signer,
    tokens,
    signEd25519: signer && createEd25519Signer(signer, context.clock),
    logSigner: signer && createLogSigner(context.clock, signer === storedSigner ? storedSigner : signer),
    statusList,
    ...createSigningKeyChanges(context, {
      keys: list,
      sealing,
      alg,
      open: storedSigner.open,
      hasSecret: secrets.length > 0,
    }),
    async jwks() {
      if (signer === undefined) throw signsNothing();
      return toJwkSet((await signer.keys()).filter(({ purpose }) => purpose === PASSPORT_PURPOSE));
    },
    async ready() {
      if (signer !== storedSigner) return;
      preparing ??= storedSigner.ready();
      try {
        await preparing;
      } catch (error) {
        preparing = undefined;
        throw error;
      }
    },
    stop: list.stop,
  };
}

function checkedAlgorithm(alg: SigningAlgorithm = 'EdDSA'): SigningAlgorithm {
  if (alg === 'EdDSA' || alg === 'ES256') return alg;
  throw unfit('options.identity.alg must be EdDSA or ES256.');
}

function checkedSecrets(options: CoreOptions): readonly string[] {
  if (options.identity?.signer !== undefined) return [];
  const secrets = sealingSecrets(options);
  if (secrets.length === 0) {
    const message = 'options.identity needs a secret: identity.secret, or session.secret.';
    throw unfit(message);
  }
  for (const secret of secrets) sessionKeyBytes(secret);
  return secrets;
}

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

function createLogSigner(clock: Clock, signer: StoredSigner | Signer): LogSigner {
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
    const message = 'options.identity.signer has no Ed25519 key for the purpose log, which a log needs.';
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
