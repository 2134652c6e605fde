import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { type Caches, openCaches } from '../../../src/core/storage/caches.ts';
import { openStore, type Store } from '../../../src/core/storage/store.ts';
import type { Change, ChangeNotice, StorageAdapter, WriteResult } from '../../../src/ports/storage.ts';
import type { StoredRecord } from '../../../src/ports/stored.ts';
import { PASSPORT as BASE } from '../../support/question.ts';

/** A record as a storage holds it. */
type Stored = StoredRecord & Readonly<Record<'created_at' | 'updated_at', string>>;

const { agent_id, ...fields } = BASE;

/** The passport, the key, the account and the domain that are stored at the start. */
export const PASSPORT: Stored = {
  id: agent_id,
  ...fields,
  monetary_limit_per_txn: '100',
} as unknown as Stored;
export const KEY: Stored = {
  id: 'key_1',
  account_id: 'acc_1',
  version: 1,
  created_at: PASSPORT.created_at,
  updated_at: PASSPORT.updated_at,
  name: 'a key',
};
export const ACCOUNT: Stored = { ...KEY, id: 'acc_1', plan: 'team', disabled_at: null };
export const DOMAIN: Stored = { ...KEY, id: 'shop.example.com' };

/** What is kept in memory. */
export type Collection = 'passports' | 'keys' | 'accounts' | 'domains';

/** Caches, and the storage behind them. */
export interface CachesUnderTest {
  readonly caches: Caches;
  readonly store: Store;
  /** Those who are told of changes by the storage. */
  readonly listeners: ReadonlySet<(notice: ChangeNotice | undefined) => void>;
  put(collection: Collection, record: object): Promise<WriteResult>;
  /** Changes the storage behind the back of the caches. */
  change(...changes: readonly Change[]): Promise<WriteResult>;
  /** Passes a notice on. */
  tell(notice?: ChangeNotice): void;
  /** Whether memory answers. */
  isKnown(collection: Collection, key: string): boolean;
  load(collection: Collection, key: string): Promise<unknown>;
}

/** Caches over a storage in memory, whose notices the test passes on; `at` stands still. */
export async function open({
  maxBytes = 1_000_000,
  wrap = (storage) => storage,
}: {
  readonly maxBytes?: number;
  readonly wrap?: (storage: StorageAdapter) => StorageAdapter;
} = {}): Promise<CachesUnderTest> {
  const storage = memoryStorage();
  const listeners = new Set<(notice: ChangeNotice | undefined) => void>();
  const watched: StorageAdapter = {
    ...storage,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const adapter = wrap(watched);
  const { caches, store } = openCaches({
    storage: adapter,
    store: openStore(adapter, (_kind, call) => call()),
    monotonic: () => 1,
    isStrict: false,
    deadlineMs: 1_000,
    maxEntries: 1_000_000,
    maxBytes,
  });
  const change = (...changes: readonly Change[]) => storage.write(changes);
  const put = (collection: Collection, record: object) =>
    change({ op: 'insert', collection, record: record as StoredRecord });
  await put('passports', PASSPORT);
  await put('keys', KEY);
  await put('accounts', ACCOUNT);
  await put('domains', DOMAIN);
  return {
    caches,
    store,
    listeners,
    put,
    change,
    tell: (notice?: ChangeNotice) => {
      for (const listener of listeners) listener(notice);
    },
    isKnown: (collection: Collection, key: string) => caches[collection].peek(key, 1) !== undefined,
    load: async (collection: Collection, key: string) => (await caches[collection].load(key, 1)).value,
  };
}
