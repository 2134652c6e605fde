import type { Core } from '../core/capabilities/capability.ts';
import { sessionKeyBytes } from '../credential/session-secret.ts';
import { IdentityError, unfit } from '../errors.ts';
import { type JwkSet, toJwkSet } from '../tokens/signing/jwks.ts';
import { createKeySealing } from '../tokens/signing/sealing.ts';
import type { CheckedIdentity } from './identity-options.ts';
import { createSigningKeyChanges, type SigningKeyChanges } from './key-changes.ts';
import { PASSPORT_PURPOSE } from './key-record.ts';
import { createLogSigner, type LogSigner } from './log-signer.ts';
import { createStatusLists, type ReadStatusList } from './status-lists.ts';
import { createKeyList, createStoredSigner, type StoredSigner } from './stored-signer.ts';
import {
  createEd25519Signer,
  createTokenSigner,
  type SignEd25519,
  type TokenSigner,
} from './token-signer.ts';

/** The parts of the service that this file uses. */
type SigningNeeds = Pick<
  Core,
  | 'store'
  | 'caches'
  | 'clock'
  | 'publicUrl'
  | 'subscribe'
  | 'log'
  | 'sealingSecrets'
  | 'isSecretLost'
  | 'demanded'
>;

/** The signing keys of the service. Only operators may call these methods, which do not check the caller. */
export interface Signing extends Omit<SigningKeyChanges, 'reseal'> {
  /**
   * Returns the published keys as a JWK set (RFC 7517).
   *
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer.
   */
  jwks(): Promise<JwkSet>;
  /** `true` if passports are signed (option `publicUrl`). */
  readonly signsPassports: boolean;
  /**
   * Returns the status list token with this id (Token Status List), at most 60 s old.
   *
   * @throws {IdentityError} `not_found` for an unknown id.
   */
  readonly statusList: ReadStatusList;
}

/** The signing keys, with the parts that other parts of the service use. */
export interface OpenSigning {
  /** The methods for operators. */
  readonly room: Signing;
  /** Creates the first key. Rejects with `invalid_configuration` if the secret cannot decrypt the stored keys. */
  ready(): Promise<void>;
  /** Encrypts the keys with the first secret, and returns how many it changed. */
  reseal(): Promise<number>;
  /** The signer of passports and status lists; absent without `publicUrl`. */
  readonly tokens: TokenSigner | undefined;
  /** Signs bytes with Ed25519. */
  readonly signEd25519: SignEd25519;
  /** Returns the keys of the evidence log. */
  readonly logSigner: LogSigner;
  stop(): void;
}

/**
 * Creates the signing keys of one service.
 *
 * @throws {IdentityError} `invalid_configuration` without a secret and without a signer.
 */
export function createSigning(core: SigningNeeds, options: CheckedIdentity): OpenSigning {
  const { clock, publicUrl } = core;
  const { alg, signer: outsideSigner, secret } = options;
  const secrets = outsideSigner === undefined ? checkedSecrets(core.sealingSecrets) : [];
  const list = createKeyList(core);
  const sealing = createKeySealing(secrets);
  const secretLost = core.isSecretLost && secret === undefined;
  const storedSigner = createStoredSigner(core, { keys: list, sealing, alg, secretLost });
  const signer = outsideSigner ?? storedSigner;
  const tokens = publicUrl === undefined ? undefined : createTokenSigner(signer, clock);
  const { open } = storedSigner;
  const hasSecret = secrets.length > 0;
  const { reseal, ...changes } = createSigningKeyChanges(core, { keys: list, sealing, alg, open, hasSecret });
  return {
    room: {
      ...changes,
      signsPassports: tokens !== undefined,
      statusList: readLists(core, tokens),
      jwks: async () => toJwkSet((await signer.keys()).filter(({ purpose }) => purpose === PASSPORT_PURPOSE)),
    },
    tokens,
    signEd25519: createEd25519Signer(signer, clock),
    logSigner: createLogSigner(clock, signer === storedSigner ? storedSigner : signer),
    ready: signer === storedSigner ? onceReady(storedSigner) : async () => {},
    reseal: hasSecret ? reseal : async () => 0,
    stop: list.stop,
  };
}

/** Returns a function that creates the first key. A failed attempt is repeated by the next call. */
function onceReady(signer: StoredSigner): () => Promise<void> {
  let preparing: Promise<void> | undefined;
  return async () => {
    preparing ??= signer.ready();
    try {
      await preparing;
    } catch (error) {
      preparing = undefined;
      throw error;
    }
  };
}

function readLists(core: SigningNeeds, tokens: TokenSigner | undefined): ReadStatusList {
  const { publicUrl } = core;
  if (tokens === undefined || publicUrl === undefined) return () => Promise.reject(signsNothing());
  return createStatusLists(core, { tokens, publicUrl, publicPlaces: core.demanded('publicPlaces') });
}

function checkedSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0)
    throw unfit('identity() needs a secret: identity({ secret }), or session.secret.');
  for (const secret of secrets) sessionKeyBytes(secret);
  return secrets;
}

/** Returns the error of a service without an address that names its signatures. */
export function signsNothing(): IdentityError {
  return new IdentityError('not_found', 'This service does not sign. Pass identity({ publicUrl }).');
}
