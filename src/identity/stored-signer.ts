import { formatInstant, instantSpeller } from '../base/values/instant.ts';
import type { Context } from '../core/shared/context.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert, notWritten, replace } from '../core/storage/store.ts';
import { IdentityError, unfit } from '../errors.ts';
import { generateKeyPair, importPrivateKey, signBytes } from '../platform/signing.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { PublicSigningKey, Signer, SigningAlgorithm, SigningPurpose } from '../ports/signer.ts';
import type { Change } from '../ports/storage.ts';
import type { Instant } from '../records.ts';
import { isLive, type SigningKeyState, signingKeyAt, stateAt } from '../tokens/signing/key-state.ts';
import type { KeySealing, OpenedKey } from '../tokens/signing/sealing.ts';
import { thumbprintOf } from '../tokens/signing/thumbprint.ts';
import type { SigningKeyRecord } from './collections.ts';

/** Signs with the keys in the storage. */
export interface StoredSigner extends Signer {
  /**
   * Creates the first key if no key signs.
   *
   * @throws {IdentityError} `invalid_configuration` if the secret cannot decrypt a valid key.
   */
  ready(): Promise<void>;
  /**
   * Returns the private key.
   *
   * @throws {IdentityError} `invalid_configuration` if no secret can decrypt it.
   */
  open(record: SigningKeyRecord): Promise<OpenedKey>;
  /** Returns every stored key. At least one of them signs for the purpose. */
  allFor(purpose: SigningPurpose): Promise<readonly SigningKeyRecord[]>;
  signWith(record: SigningKeyRecord, data: Uint8Array): Promise<Uint8Array>;
}

interface KnownKeys {
  readonly known: readonly SigningKeyRecord[];
  readonly signing: SigningKeyRecord;
}

/**
 * Creates a function that chooses the key that signs. The function caches its last choice, because a token needs the
 * key three times at one instant.
 */
function rememberedSigning(): typeof signingKeyAt<SigningKeyRecord> {
  let last: { readonly known: unknown; readonly purpose: SigningPurpose; readonly at: string } | undefined;
  let signing: SigningKeyRecord | undefined;
  return (records, purpose, instant) => {
    if (last?.known !== records || last.purpose !== purpose || last.at !== instant) {
      signing = signingKeyAt(records, purpose, instant);
      last = { known: records, purpose, at: instant };
    }
    return signing;
  };
}

/** The dependencies and the settings of a signer. */
export interface StoredSignerOptions {
  readonly keys: KeyList;
  readonly sealing: KeySealing;
  readonly alg: SigningAlgorithm;
  /** `true` if the service revokes keys that no secret can decrypt, because the secret is lost. */
  readonly secretLost: boolean;
}

/** The maximum number of attempts to create a key: this many nodes may try at the same time. */
const MAX_TRIES = 10;

/** Creates the signer for the keys in the storage. */
export function createStoredSigner(
  context: Pick<Context, 'store' | 'clock' | 'log'>,
  options: StoredSignerOptions,
): StoredSigner {
  const { store, clock } = context;
  const { keys, sealing, alg, secretLost } = options;
  const importedKeyPromises = new Map<string, Promise<CryptoKey>>();
  const spellInstant = instantSpeller();
  const signingOf = rememberedSigning();

  async function open(record: SigningKeyRecord): Promise<OpenedKey> {
    const key = await sealing.open(record.kid, record.sealed);
    if (key === undefined) throw sealedByAnother(record);
    return key;
  }

  async function withSigning(purpose: SigningPurpose): Promise<KnownKeys> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const records = await keys.read();
      const atMs = clock.now();
      const signing = signingOf(records, purpose, spellInstant(atMs));
      if (signing !== undefined) return { known: records, signing };
      const plan = { purpose, alg: algorithmFor(purpose, alg), sealing, at: atMs, from: atMs };
      const record = await makeKey(records, plan);
      const { written } = await store.write(insert('signing_keys', record));
      keys.forget();
      // Another node may have made its key first: both nodes then read that one.
      if (written) logSecurityEvent(context, 'signing_key.created', { kid: record.kid });
    }
    throw notWritten();
  }

  function privateKey(record: SigningKeyRecord): Promise<CryptoKey> {
    const keyPromise = importedKeyPromises.get(record.kid);
    if (keyPromise !== undefined) return keyPromise;
    const importing = open(record).then(({ jwk }) => importPrivateKey(record.alg, jwk));
    importedKeyPromises.set(record.kid, importing);
    importing.catch(() => importedKeyPromises.delete(record.kid));
    return importing;
  }

  async function assertOpen(record: SigningKeyRecord): Promise<void> {
    if ((await sealing.open(record.kid, record.sealed)) !== undefined) return;
    if (!secretLost) throw sealedByAnother(record);
    const revoked_at = formatInstant(clock.now());
    const { written } = await store.write(change(record, { revoked_at }));
    keys.forget();
    if (written) logSecurityEvent(context, 'signing_key.revoked', { kid: record.kid });
  }

  async function signWith(record: SigningKeyRecord, data: Uint8Array): Promise<Uint8Array> {
    return signBytes(record.alg, await privateKey(record), data);
  }

  return {
    open,
    signWith,
    allFor: async (purpose) => (await withSigning(purpose)).known,
    async ready() {
      for (const record of liveKeys(await keys.read(), clock.now())) await assertOpen(record);
      await withSigning(PASSPORT_PURPOSE);
    },
    async keys() {
      const { known } = await withSigning(PASSPORT_PURPOSE);
      return liveKeys(known, clock.now()).map(toPublicKey);
    },
    async sign(purpose, data) {
      const { signing } = await withSigning(purpose);
      return { kid: signing.kid, signature: await signWith(signing, data) };
    },
  };
}

/** Reads the signing keys of the storage. */
export interface KeyList {
  /** Returns every key, newest first. The keys were read less than `FRESH_MS` ago. At most one read runs at a time. */
  read(): Promise<readonly SigningKeyRecord[]>;
  /** Makes the next `read` use the storage instead of the cache. */
  forget(): void;
  /** Ends the subscription to changes. */
  stop(): void;
}

/**
 * The milliseconds for which the list is cached. Even if the storage sends no notice of a change, this
 * process notices the change within a second. The second includes the time of a read.
 */
const FRESH_MS = 800;

/** Creates the key list of one service. */
export function createKeyList({
  store,
  caches,
  subscribe,
}: Pick<Context, 'store' | 'caches' | 'subscribe'>): KeyList {
  let cachedKeys: { readonly records: Promise<readonly SigningKeyRecord[]>; readonly at: number } | undefined;
  const forget = () => {
    cachedKeys = undefined;
  };
  const stop = subscribe((notice) => {
    if (notice === undefined || notice.collection === 'signing_keys') forget();
  });
  return {
    read() {
      const atMs = caches.monotonic();
      if (cachedKeys !== undefined && atMs - cachedKeys.at < FRESH_MS) return cachedKeys.records;
      const reading = { records: store.list('signing_keys', { where: {}, limit: MAX_PAGE_SIZE }), at: atMs };
      cachedKeys = reading;
      // A failed read is not an answer for later calls.
      reading.records.catch(() => {
        if (cachedKeys === reading) cachedKeys = undefined;
      });
      return reading.records;
    },
    forget,
    stop,
  };
}

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
interface KeyPlan {
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
function sealedByAnother({ kid }: SigningKeyRecord): IdentityError {
  return unfit(
    `The secret does not open the signing key ${kid}: give the previous one as well and run agent-identity signing-key reseal. If you lost it, run agent-identity signing-key revoke ${kid}`,
  );
}
