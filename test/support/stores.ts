/** The storages under test. A test that runs over several takes them from here. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { administer, hasPostgres, openSchema } from '../storage/postgres-database.ts';
import { connectClient, dropNamespace, hasRedis, newNamespace, SERVER } from '../storage/redis-server.ts';
import { PATIENT_MS } from './patience.ts';

/** Opens an empty store that needs no server; a file is removed when the test ends. */
export const stores: readonly (readonly [name: string, open: () => Promise<StorageAdapter>])[] = [
  ['memory', async () => memoryStorage()],
  ['sqlite', async () => sqliteStorage({ file: join(await newFolder(), 'a.db') })],
];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ais-service-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** One way into a store for each node. */
export interface Shared {
  readonly storages: readonly StorageAdapter[];
  /** Gives the store back, once the storages are closed. */
  end(): Promise<void>;
}

/** A kind of store that several nodes can share. */
export interface SharedStore {
  readonly name: string;
  /** Opens one that is empty, the given number of times. */
  open(count: number): Promise<Shared>;
}

/** Returns all kinds of stores; a file that asks has a case for each server that is not there. */
export async function sharedStores(): Promise<readonly SharedStore[]> {
  const stores = [memory, sqlite];
  if (await hasPostgres()) stores.push(openPostgres());
  if (await hasRedis()) stores.push(await openRedis());
  return stores;
}

/** Returns all kinds of stores with their names, for `test.each`. */
export async function namedStores(): Promise<readonly (readonly [name: string, store: SharedStore])[]> {
  return (await sharedStores()).map((store) => [store.name, store]);
}

/** Opens an empty store the given number of times; it is closed and given back when the test ends. */
export async function openShared({ open }: SharedStore, count: number): Promise<readonly StorageAdapter[]> {
  const { storages, end } = await open(count);
  onTestFinished(async () => {
    for (const storage of storages) await storage.close();
    await end();
  });
  return storages;
}

/** Opens an empty store once. */
export async function openOne(store: SharedStore): Promise<StorageAdapter> {
  const [storage] = await openShared(store, 1);
  if (storage === undefined) throw new Error('There is no storage.');
  return storage;
}

const memory: SharedStore = {
  name: 'memory',
  async open(count) {
    const storage = memoryStorage();
    // The store of all nodes does not end with the first of them.
    return { storages: await times(count, async () => ({ ...storage, close })), end: storage.close };
    async function close(): Promise<void> {}
  },
};

const sqlite: SharedStore = {
  name: 'SQLite',
  async open(count) {
    const folder = await mkdtemp(join(tmpdir(), 'ais-shared-'));
    return {
      storages: await times(count, () =>
        sqliteStorage({ file: join(folder, 'a.db'), busyTimeoutMs: PATIENT_MS }),
      ),
      end: () => rm(folder, { recursive: true }),
    };
  },
};

function openPostgres(): SharedStore {
  const server = administer();
  afterAll(() => server.end());
  return {
    name: 'PostgreSQL',
    async open(count) {
      const url = await server.borrowSchema();
      return { storages: await times(count, () => openSchema(url)), end: () => server.takeBack(url) };
    },
  };
}

async function openRedis(): Promise<SharedStore> {
  const client = await connectClient();
  const family = newNamespace();
  afterAll(async () => {
    await dropNamespace(client, `${family}-*`);
    client.destroy();
  });
  let opened = 0;
  return {
    name: 'Redis',
    async open(count) {
      opened += 1;
      const namespace = `${family}-${opened}`;
      const open = () => redisStorage({ url: SERVER, namespace, timeoutMs: PATIENT_MS });
      return { storages: await times(count, open), end: async () => {} };
    },
  };
}

async function times(count: number, open: () => Promise<StorageAdapter>): Promise<readonly StorageAdapter[]> {
  const storages: StorageAdapter[] = [];
  for (let opened = 0; opened < count; opened += 1) storages.push(await open());
  return storages;
}
