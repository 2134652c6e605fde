import { describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { JournalBatch } from '../../../src/ports/index.ts';
import type { Intent } from '../../../src/records.ts';
import { loadLatencyScale } from '../../../src/service/journal/latency.ts';
import { HOUR, openLocalService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';

const PASSPORT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
} as const;
const agent_id = 'did:web:example.com:agents:shopper';
const intent: Intent = { agent_id, action: 'payments.create', parameters: { amount: 25, currency: 'EUR' } };

describe('the journal', () => {
  test('holds every verdict as it was answered, newest first', async () => {
    const { service, clock } = openLocalService();
    await service.passports.create(PASSPORT);
    const answered = [];
    for (const amount of [25, '19.99', 100.000001, '999999999999999.123456']) {
      clock.advance(1);
      answered.push(await service.verify({ ...intent, parameters: { amount } }));
    }
    answered.push(await service.verify({ agent_id: 'did:web:example.com:agents:nobody', action: 'x' }));
    const { data } = await service.verifications.list();
    expect(data).toEqual(answered.toReversed());
  });

  test('keeps what it could not store and stores it once', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    await service.passports.create(PASSPORT);
    const batches: string[] = [];
    const append = storage.append;
    storage.append = async (batch: JournalBatch) => {
      await append(batch);
      if (batch.entries.length === 0) return;
      batches.push(batch.id);
      // Stored, but the answer is lost.
      if (batches.length === 1) throw new Error('connection lost');
    };
    await service.verify(intent);
    await service.verifications.list();
    const { data } = await service.verifications.list();
    expect(data).toHaveLength(1);
    expect(batches).toHaveLength(2);
    expect(new Set(batches).size).toBe(1);
    expect((await service.analytics()).overview.total_verifications).toBe(1);
  });

  test('never blocks a verdict: what finds no place is counted and shown', async () => {
    const storage = probe();
    const { service, clock } = openLocalService({ storage });
    await service.passports.create(PASSPORT);
    storage.fail = (call) => (call === 'append' ? Promise.reject(new Error('full')) : undefined);
    for (let asked = 0; asked < 12_500; asked += 100) {
      await service.verifyBatch({ intents: Array.from({ length: 100 }, () => intent) });
    }
    storage.fail = undefined;
    const droppedAt = clock.now();
    clock.advance(HOUR);
    const { overview, journal_dropped, complete_since } = await service.analytics();
    expect(journal_dropped).toBeGreaterThan(0);
    expect(overview.total_verifications + journal_dropped).toBe(12_500);
    expect(Date.parse(complete_since)).toBeGreaterThan(droppedAt);
  });

  test('stores what comes meanwhile together, not a few at a time', async () => {
    // What is loaded with the first batch needs more than timers.
    await loadLatencyScale();
    const storage = probe();
    const { service } = openLocalService({ storage });
    await service.passports.create(PASSPORT);
    const sizes: number[] = [];
    const append = storage.append;
    storage.append = async (batch: JournalBatch) => {
      sizes.push(batch.entries.length);
      if (sizes.length === 1) await service.verify(intent);
      await append(batch);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await service.verify(intent);
      await vi.advanceTimersByTimeAsync(250);
      await service.verify(intent);
      await vi.advanceTimersByTimeAsync(250);
    } finally {
      vi.useRealTimers();
    }
    expect(sizes).toEqual([1, 2]);
  });

  test('gives the storage no more at a time than it asks for', async () => {
    const inner = probe();
    const sizes: number[] = [];
    const append = (batch: JournalBatch): Promise<void> => {
      sizes.push(batch.entries.length);
      return inner.append(batch);
    };
    for (const [batchSize, expected] of [
      [3, [3, 3, 1]],
      [1_000, [250, 50]],
    ] as const) {
      const { service } = openLocalService({ storage: { ...inner, append, batchSize } });
      const number = expected.reduce((sum: number, size) => sum + size, 0);
      for (let asked = 0; asked < number; asked += 1) await service.verify(intent);
      await service.verifications.list();
      expect(sizes.splice(0)).toEqual(expected);
    }
  });

  describe('over a storage that is gone with the process', () => {
    /** The batches that a storage is given, and its service. */
    async function watched(isVolatile: boolean) {
      await loadLatencyScale();
      const { isVolatile: _, ...inner } = memoryStorage();
      const batches: JournalBatch[] = [];
      const append = (batch: JournalBatch): Promise<void> => {
        batches.push(batch);
        return inner.append(batch);
      };
      const { service } = openLocalService({
        storage: { ...inner, append, ...(isVolatile && { isVolatile }) },
      });
      await service.passports.create(PASSPORT);
      return { service, batches };
    }

    const counted = (batches: readonly JournalBatch[]): number =>
      batches
        .flatMap(({ rollups }) => rollups)
        .filter(({ kind, agent_id: of }) => kind === 'verdict' && of === '')
        .reduce((sum, { count }) => sum + count, 0);

    test.each([
      [true, 0],
      [false, 750],
    ])('counts are summed up, is that %s; those who read them wait for them', async (isVolatile, already) => {
      const { service, batches } = await watched(isVolatile);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      try {
        for (let asked = 0; asked < 900; asked += 1) await service.verify(intent);
        await vi.advanceTimersByTimeAsync(50);
        expect(batches.map(({ entries }) => entries.length)).toEqual([250, 250, 250]);
        expect(counted(batches)).toBe(already);
      } finally {
        vi.useRealTimers();
      }
      expect((await service.analytics()).overview.total_verifications).toBe(900);
      await service.verify(intent);
      expect((await service.analytics()).overview.total_verifications).toBe(901);
      expect(counted(batches)).toBe(901);
    });

    test('counts of many agents come in pieces, and in time', async () => {
      const { service, batches } = await watched(true);
      const agents = Array.from({ length: 900 }, (_, index) => `a${index}`);
      for (const agent_name of agents) await service.passports.create({ ...PASSPORT, agent_name });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      try {
        for (const name of agents) {
          await service.verify({ ...intent, agent_id: `did:web:example.com:agents:${name}` });
        }
        await vi.advanceTimersByTimeAsync(1_400);
      } finally {
        vi.useRealTimers();
      }
      expect(counted(batches)).toBe(900);
      const sizes = batches.map(({ rollups }) => rollups.length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2_700);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    });

    test('counts that nobody asks for are added within two seconds, and those that are left on close', async () => {
      const { service, batches } = await watched(true);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      try {
        for (const verdicts of [1, 2]) {
          await service.verify(intent);
          await vi.advanceTimersByTimeAsync(300);
          expect(batches.filter(({ entries }) => entries.length > 0)).toHaveLength(verdicts);
          expect(counted(batches)).toBe(0);
        }
        await vi.advanceTimersByTimeAsync(1_400);
        expect(counted(batches)).toBe(2);
        await vi.advanceTimersByTimeAsync(10_000);
        // None for nothing.
        expect(batches).toHaveLength(3);
        await service.verify(intent);
        await vi.advanceTimersByTimeAsync(300);
        expect(counted(batches)).toBe(2);
      } finally {
        vi.useRealTimers();
      }
      await service.close();
      expect(counted(batches)).toBe(3);
    });
  });

  test('is flushed on close', async () => {
    const storage = memoryStorage();
    const first = openLocalService({ storage: { ...storage, close: async () => undefined } });
    await first.service.passports.create(PASSPORT);
    await first.service.verify(intent);
    await first.service.close();
    const second = openLocalService({ storage });
    expect((await second.service.verifications.list()).data).toHaveLength(1);
  });

  test('takes texts that no database stores, and goes on', async () => {
    const { service } = openLocalService();
    await service.verify({ agent_id: 'lone \ud800 surrogate', action: 'nul \0 nul', target: '\udfff' });
    const { data } = await service.verifications.list();
    expect(data.map(({ agent_id, action, target }) => [agent_id, action, target])).toEqual([
      ['lone \ufffd surrogate', 'nul \ufffd nul', '\ufffd'],
    ]);
  });
});

describe('a strict journal', () => {
  test('answers after the record is stored', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage, journal: 'strict' });
    await service.passports.create(PASSPORT);
    const { decision_id } = await service.verify(intent);
    const { entries } = await storage.read({ account_id: 'acc_local', limit: 10 });
    expect(entries[0]?.id).toBe(decision_id);
  });

  test('gives no verdict when the record cannot be stored, and none of them later', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage, journal: 'strict' });
    await service.passports.create(PASSPORT);
    storage.fail = (call) => (call === 'append' ? Promise.reject(new Error('read-only')) : undefined);
    await expect(service.verify(intent)).rejects.toMatchObject({ code: 'storage_unavailable' });
    storage.fail = undefined;
    await expect(service.verify(intent)).resolves.toMatchObject({ verdict: 'ALLOW' });
    expect((await service.verifications.list()).data).toHaveLength(1);
  });

  test('stores verdicts that come together in few rounds', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage, journal: 'strict' });
    await service.passports.create(PASSPORT);
    await service.verify(intent);
    storage.calls.length = 0;
    await Promise.all(Array.from({ length: 500 }, () => service.verify(intent)));
    expect(storage.calls.filter((call) => call === 'append').length).toBeLessThan(20);
    expect((await service.analytics()).overview.total_verifications).toBe(501);
  });

  test('lets nobody wait for ever when a batch fails while others queue', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage, journal: 'strict' });
    await service.passports.create(PASSPORT);
    let failures = 3;
    storage.fail = (call) =>
      call === 'append' && failures-- > 0 ? Promise.reject(new Error('busy')) : undefined;
    const settled = await Promise.allSettled(Array.from({ length: 3_000 }, () => service.verify(intent)));
    const stored = settled.filter(({ status }) => status === 'fulfilled').length;
    expect(stored).toBeLessThan(3_000);
    expect((await service.analytics()).overview.total_verifications).toBe(stored);
  });
});

describe('the hooks', () => {
  test('hear of every verdict and of every error that kept one from being formed', async () => {
    const heard: string[] = [];
    const storage = probe();
    const { service } = openLocalService({
      storage,
      consistency: 'strict',
      onVerdict: ({ verdict }, { latencyUs }) => heard.push(`${verdict} ${latencyUs >= 0}`),
      onError: (error) => heard.push((error as { code: string }).code),
    });
    await service.passports.create(PASSPORT);
    await service.verify(intent);
    await service.verify({ ...intent, action: 'other' });
    storage.fail = (call) => (call.startsWith('get') ? Promise.reject(new Error('down')) : undefined);
    await expect(service.verify(intent)).rejects.toThrow();
    expect(heard).toEqual(['ALLOW true', 'DENY true', 'storage_unavailable']);
  });

  test('change nothing by throwing', async () => {
    const { service, logs } = openLocalService({
      onVerdict() {
        throw new TypeError('in the host');
      },
    });
    await service.passports.create(PASSPORT);
    await expect(service.verify(intent)).resolves.toMatchObject({ verdict: 'ALLOW' });
    expect(logs.map(({ event }) => event)).toContain('hook_failed');
  });
});
