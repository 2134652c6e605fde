import { formatInstant, instantSpeller } from '../base/values/instant.ts';
import type { Context } from '../core/shared/context.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert, notWritten } from '../core/storage/store.ts';
import { importPrivateKey, signBytes } from '../platform/signing.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { Signer, SigningAlgorithm, SigningPurpose } from '../ports/signer.ts';
import { signingKeyAt } from '../tokens/signing/key-state.ts';
import type { KeySealing, OpenedKey } from '../tokens/signing/sealing.ts';
import type { SigningKeyRecord } from './collections.ts';
import {
  algorithmFor,
  change,
  liveKeys,
  makeKey,
  PASSPORT_PURPOSE,
  sealedByAnother,
  toPublicKey,
} from './key-record.ts';

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
