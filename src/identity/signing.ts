import { formatInstant } from '../base/values/instant.ts';
import type { Core } from '../core/capabilities/capability.ts';
import { type Context, OPERATOR } from '../core/shared/context.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert } from '../core/storage/store.ts';
import { sessionKeyBytes } from '../credential/session-secret.ts';
import { conflict, IdentityError, noSuch, unfit } from '../errors.ts';
import type { SigningAlgorithm, SigningPurpose } from '../ports/signer.ts';
import type { Change } from '../ports/storage.ts';
import { type JwkSet, toJwkSet } from '../tokens/signing/jwks.ts';
import { signingKeyAt, stateAt } from '../tokens/signing/key-state.ts';
import { createKeySealing, type KeySealing } from '../tokens/signing/sealing.ts';
import type { SigningKeyRecord } from './collections.ts';
import type { CheckedIdentity } from './identity-options.ts';
import { createLogSigner, type LogSigner } from './log-signer.ts';
import { createStatusLists, type ReadStatusList } from './status-lists.ts';
import {
  algorithmFor,
  change,
  createKeyList,
  createStoredSigner,
  type KeyList,
  LOG_PURPOSE,
  liveKeys,
  makeKey,
  PASSPORT_PURPOSE,
  PREPUBLISH_MS,
  retireSigning,
  type SigningKey,
  type StoredSigner,
  toSigningKey,
} from './stored-signer.ts';
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

/** Options of a rotation. */
export interface SigningKeyRotation {
  /** The algorithm of the new key. Default: the option `identity.alg`. */
  readonly alg?: SigningAlgorithm;
  /** `true` if the new key signs at once, before verifiers have fetched it. A key of the evidence log always does. */
  readonly now?: boolean;
  /**
   * The purpose of the new key; default `passport`. With `log`, the old and the new key both sign each checkpoint for
   * 30 days.
   */
  readonly purpose?: SigningPurpose;
}

/** Changes the stored signing keys. Only operators may call these methods, which do not check the caller. */
export interface SigningKeyChanges {
  /**
   * Lists every stored key, newest first.
   *
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer.
   */
  list(): Promise<readonly SigningKey[]>;
  /**
   * Adds a key that signs after 600 s. The previous key signs until then. It stays published after that until its last
   * token has expired.
   *
   * @throws {IdentityError} `conflict` while another key waits to sign, or if another process changes the keys at the
   * same moment.
   * @throws {IdentityError} `invalid_configuration` if the service has no secret, or cannot decrypt a valid key.
   */
  rotate(rotation?: SigningKeyRotation): Promise<SigningKey>;
  /**
   * Revokes a key at once, which makes its signatures invalid. If no other key can sign, the same write adds a new key.
   *
   * @throws {IdentityError} `not_found` if there is no such signing key.
   * @throws {IdentityError} `conflict` if another process changes the keys at the same moment.
   * @throws {IdentityError} `invalid_configuration` if the service has no secret, or cannot decrypt a valid key.
   */
  revoke(kid: string): Promise<SigningKey>;
  /**
   * Encrypts every valid key with the first secret. Returns how many were encrypted with another secret before.
   *
   * @throws {IdentityError} `conflict` if another process changes the keys at the same moment.
   * @throws {IdentityError} `invalid_configuration` if the service has no secret, or cannot decrypt a valid key.
   */
  reseal(): Promise<number>;
}

/** The dependencies of these methods. */
interface KeyChangesOptions {
  readonly keys: KeyList;
  readonly sealing: KeySealing;
  readonly alg: SigningAlgorithm;
  readonly open: StoredSigner['open'];
  readonly hasSecret: boolean;
}

function createSigningKeyChanges(
  context: Pick<Context, 'store' | 'clock' | 'log'>,
  options: KeyChangesOptions,
): SigningKeyChanges {
  const { clock } = context;
  const { keys, sealing, open, hasSecret } = options;

  async function readNow(): Promise<readonly SigningKeyRecord[]> {
    if (!hasSecret) {
      throw unfit('Changes of signing keys need their secret: pass identity({ secret }).');
    }
    keys.forget();
    return keys.read();
  }

  async function write(changes: readonly Change[]): Promise<void> {
    const { written } = await context.store.write(...changes);
    keys.forget();
    if (written) return;
    throw conflict('Another process has changed the signing keys. Try again.');
  }

  async function shown(kid: string): Promise<SigningKey> {
    const records = await keys.read();
    return toSigningKey(find(records, kid), records, clock.now());
  }

  return {
    async list() {
      const records = await keys.read();
      return records.map((record) => toSigningKey(record, records, clock.now()));
    },

    async rotate(rotation = {}) {
      const { kid, changes } = await planRotation(await readNow(), clock.now(), options, rotation);
      await write(changes);
      logSecurityEvent(context, 'signing_key.rotated', { kid, by: OPERATOR });
      return shown(kid);
    },

    async revoke(kid) {
      const records = await readNow();
      if (find(records, kid).revoked_at === null) {
        await write(await planRevocation(records, clock.now(), options, kid));
        logSecurityEvent(context, 'signing_key.revoked', { kid, by: OPERATOR });
      }
      return shown(kid);
    },

    async reseal() {
      const changes: Change[] = [];
      for (const record of liveKeys(await readNow(), clock.now())) {
        const { jwk, isCurrent } = await open(record);
        if (!isCurrent) changes.push(change(record, { sealed: await sealing.seal(record.kid, jwk) }));
      }
      if (changes.length > 0) {
        await write(changes);
        logSecurityEvent(context, 'signing_key.resealed', { by: OPERATOR });
      }
      return changes.length;
    },
  };
}

async function planRotation(
  records: readonly SigningKeyRecord[],
  atMs: number,
  { open, sealing, alg: usual }: KeyChangesOptions,
  {
    purpose = PASSPORT_PURPOSE,
    alg: wantedAlgorithm = usual,
    now = purpose === LOG_PURPOSE,
  }: SigningKeyRotation,
): Promise<{ readonly kid: string; readonly changes: readonly Change[] }> {
  const live = liveKeys(records, atMs);
  // With a secret that is not the one of the other keys, no other node could sign with the new key.
  for (const record of live) await open(record);
  const waiting = live.find(
    (record) => record.purpose === purpose && stateAt(record, records, formatInstant(atMs)) === 'published',
  );
  if (waiting !== undefined) {
    const message = `The key ${waiting.kid} signs from ${waiting.not_before} on: wait until then.`;
    throw conflict(message);
  }
  const startMs = now ? atMs : atMs + PREPUBLISH_MS;
  const plan = { purpose, alg: algorithmFor(purpose, wantedAlgorithm), sealing, at: atMs, from: startMs };
  const madeRecord = await makeKey(records, plan);
  return {
    kid: madeRecord.kid,
    changes: [insert('signing_keys', madeRecord), ...retireSigning(records, plan)],
  };
}

async function planRevocation(
  records: readonly SigningKeyRecord[],
  atMs: number,
  { open, sealing, alg }: KeyChangesOptions,
  kid: string,
): Promise<readonly Change[]> {
  const revokedRecord = find(records, kid);
  const { purpose } = revokedRecord;
  const revocation = change(revokedRecord, { revoked_at: formatInstant(atMs) });
  const otherRecords = liveKeys(records, atMs).filter((record) => record.kid !== kid);
  for (const record of otherRecords) await open(record);
  const live = otherRecords.filter((record) => record.purpose === purpose);
  if (live.some(({ retire_at }) => retire_at === null)) return [revocation];
  // Another key that signs meanwhile gives verifiers the time to fetch the new one.
  const signing = signingKeyAt(live, purpose, formatInstant(atMs));
  const startMs = signing === undefined ? atMs : atMs + PREPUBLISH_MS;
  const plan = { purpose, alg: algorithmFor(purpose, alg), sealing, at: atMs, from: startMs };
  return [revocation, insert('signing_keys', await makeKey(records, plan)), ...retireSigning(live, plan)];
}

function find(records: readonly SigningKeyRecord[], kid: string): SigningKeyRecord {
  const foundRecord = records.find((record) => record.kid === kid);
  if (foundRecord !== undefined) return foundRecord;
  throw noSuch('signing key');
}
