import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import type { Change, StorageAdapter } from '../../src/ports/index.ts';
import { fixtures, insert } from '../../src/testing/storage-contract/fixtures.ts';
import { sayMissing } from '../support/missing.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { hasPostgresProgram, type PrivateServer, startPostgres } from '../support/private-servers.mjs';
import { isAbout, isAnything, listenTo } from './heard.ts';

const AT = '2026-11-20T12:00:00.000Z';

/** A short deadline for the calls, and how long they may really take on a machine that is busy. */
const TIMEOUT_MS = 1_000;
const SETTLED_MS = TIMEOUT_MS + 20_000;

const insertKey = (id: string): Change => insert('keys', fixtures.keys(id, { account_id: 'a' }));

const calls: readonly ((storage: StorageAdapter) => Promise<unknown>)[] = [
  (storage) => storage.get('keys', 'stored'),
  (storage) => storage.get('keys', 'missing'),
  (storage) => storage.list('keys', { where: { account_id: 'a' }, limit: 10 }),
  (storage) => storage.write([insertKey('while it stands still')]),
  (storage) => storage.count('n', AT),
  ({ journal }) => journal.file({ writer: 'w', seq: 1, at: AT, blocks: [] }),
  ({ journal }) => journal.merge({ writer: 'w', from: 0, to: 1, at: AT, rollups: [] }),
  ({ journal }) => journal.blocks({ account_id: 'a', limit: 10 }),
  ({ journal }) => journal.writers(),
  async (storage) => storage.countPassports?.('a', AT),
  (storage) => storage.purge('sessions', AT),
  (storage) => storage.time(AT),
  (storage) => storage.journal.completeSince('a'),
  (storage) => storage.check(),
];

/** What became of every call, several of each kind at once. */
async function outcomes(storage: StorageAdapter): Promise<readonly string[]> {
  let late: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(new Error('A call did not settle.')), SETTLED_MS);
  });
  const all = [...calls, ...calls, ...calls].map((call) =>
    call(storage).then(
      () => 'answered',
      () => 'rejected',
    ),
  );
  try {
    return await Promise.race([Promise.all(all), deadline]);
  } finally {
    clearTimeout(late);
  }
}

/** A storage with the short deadline, which the start may miss on a machine that is busy. */
async function openImpatiently(url: string): Promise<StorageAdapter> {
  for (;;) {
    try {
      return await postgresStorage({ url, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'storage_unavailable') throw error;
    }
  }
}

/** Writes one record after the other, by several hands, until it is told to stop. */
function writeOnAndOn(storage: StorageAdapter, name: string, acknowledged: string[]) {
  let stopped = false;
  const write = async (hand: number): Promise<void> => {
    for (let at = 0; !stopped; at += 1) {
      const id = `${name} ${hand} ${at}`;
      const steps: readonly Change[] = [insertKey(id), { op: 'add', counter: id, by: 1, at: AT }];
      const result = await storage.write(steps).catch(() => undefined);
      if (result?.written) acknowledged.push(id);
    }
  };
  const writing = Promise.all([0, 1, 2, 3, 4].map(write));
  return {
    async stop(): Promise<void> {
      stopped = true;
      await writing;
    },
  };
}

async function works(storage: StorageAdapter): Promise<void> {
  const ask = (): Promise<unknown> => storage.get('keys', 'stored').catch(() => undefined);
  await expect.poll(ask, { timeout: PATIENT_MS, interval: 10 }).toMatchObject({ id: 'stored' });
}

if (!hasPostgresProgram()) {
  sayMissing('There is no initdb: nothing about a server that fails was proved. Install postgresql.');
} else {
  describe('a server of our own', () => {
    let server: PrivateServer;
    beforeAll(async () => {
      // A process that is killed leaves to the system what it has written: only a machine needs the fsync.
      server = await startPostgres({ options: { fsync: 'off' } });
    });
    afterAll(() => server.remove());

    test('that stands still lets every call reject, and answers again when it goes on', async () => {
      const storage = await openImpatiently(server.url);
      const other = await postgresStorage({ url: server.url, timeoutMs: PATIENT_MS });
      await other.write([insertKey('stored')]);
      const heard = listenTo(storage);
      await heard.one(isAnything);
      await works(storage);
      const from = heard.notices.length;
      server.freeze();
      try {
        // As long as the connection that listens may take to notice.
        const end = performance.now() + 4_000;
        while (performance.now() < end) {
          expect(new Set(await outcomes(storage))).toEqual(new Set(['rejected']));
        }
      } finally {
        server.thaw();
      }
      await works(storage);
      const missing = (): Promise<unknown> => storage.get('keys', 'missing').catch(() => 'rejected');
      await expect.poll(missing, { timeout: PATIENT_MS }).toBeUndefined();
      await heard.one(isAnything, from);
      await other.write([insertKey('told again')]);
      await heard.one(isAbout('told again'));
      await Promise.all([storage.close(), other.close()]);
    });

    test('that stands still lets the storage close', async () => {
      const storage = await openImpatiently(server.url);
      await listenTo(storage).one(isAnything);
      server.freeze();
      try {
        await storage.close();
      } finally {
        server.thaw();
      }
    });

    test('that is killed and starts again holds every write that was acknowledged', async () => {
      const storage = await openImpatiently(server.url);
      const heard = listenTo(storage);
      await heard.one(isAnything);
      const acknowledged: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const before = acknowledged.length;
        const { stop } = writeOnAndOn(storage, `round ${round}`, acknowledged);
        await expect.poll(() => acknowledged.length, { timeout: PATIENT_MS }).toBeGreaterThan(before + 20);
        await server.kill();
        await stop();
        expect(new Set(await outcomes(storage))).toEqual(new Set(['rejected']));
        const from = heard.notices.length;
        await server.restart();
        await expect
          .poll(() => storage.check().catch(() => undefined), { timeout: PATIENT_MS })
          .toMatchObject({ durability: 'unproved' });
        await heard.one(isAnything, from);
      }
      const patient = await postgresStorage({ url: server.url, timeoutMs: PATIENT_MS });
      for (const id of acknowledged) {
        expect(await patient.get('keys', id)).toBeDefined();
        expect(await patient.count(id, AT)).toBe(1);
      }
      await Promise.all([storage.close(), patient.close()]);
    });
  });
}
