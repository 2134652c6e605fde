import { describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { MAX_RECORDS } from '../../../src/journal-format/index.ts';
import { MAX_FLUSHED_BLOCKS } from '../../../src/ports/index.ts';
import type { Intent } from '../../../src/records.ts';
import { eventually } from '../../support/eventually.ts';
import { recordsIn, rollupsIn } from '../../support/journal.ts';
import { MINUTE, openLocalService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';

/** The number of records that are put into blocks at once. */
const AT_ONCE = 256;

const PASSPORT = {
  ...{ domain: 'example.com', agent_name: 'shopper' },
  ...{ allowed_actions: ['payments.create'], monetary_limit_per_txn: 100 },
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
    expect(data).toEqual(answered.toReversed().map((record) => ({ ...record, outcome: null })));
  });

  test('keeps what it could not store and stores it once', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    await service.passports.create(PASSPORT);
    const { file } = storage.journal;
    const flushes: string[] = [];
    storage.journal.file = async (flush) => {
      const result = await file(flush);
      flushes.push(`${flush.writer}.${flush.seq} ${result}`);
      // Stored, but the answer is lost.
      if (flushes.length === 1) throw new Error('connection lost');
      return result;
    };
    await service.verify(intent);
    await service.verifications.list();
    const { data } = await service.verifications.list();
    expect(data).toHaveLength(1);
    expect(flushes[1]).toBe(flushes[0]?.replace('filed', 'known'));
    expect(flushes).toHaveLength(2);
    expect((await service.analytics()).overview.total_verifications).toBe(1);
  });

  test('stores what comes meanwhile together, not a few at a time', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    const sizes: number[] = [];
    const { file } = storage.journal;
    storage.journal.file = async (flush) => {
      sizes.push(flush.blocks.reduce((sum, { records }) => sum + records, 0));
      if (sizes.length === 1) for (let index = 0; index < 3; index += 1) await service.verify(intent);
      return file(flush);
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
    expect(sizes).toEqual([1, 4]);
  });

  test('gives the storage a full block at once, and what is less within 200 ms', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    const sizes: number[] = [];
    const { file } = storage.journal;
    storage.journal.file = (flush) => {
      for (const { records } of flush.blocks) sizes.push(records);
      return file(flush);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    try {
      for (let asked = 0; asked < MAX_RECORDS + AT_ONCE; asked += 1) await service.verify(intent);
      await vi.advanceTimersByTimeAsync(0);
      await eventually(() => expect(sizes).toEqual([MAX_RECORDS]));
      clock.mockReturnValue(performance.now() + 200);
      await vi.advanceTimersByTimeAsync(200);
    } finally {
      clock.mockRestore();
      vi.useRealTimers();
    }
    await eventually(() => expect(sizes).toEqual([MAX_RECORDS, AT_ONCE]));
  });

  test('gives the storage no more blocks at a time than it takes', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    const sizes: number[] = [];
    const { file } = storage.journal;
    storage.journal.file = (flush) => {
      sizes.push(flush.blocks.length);
      return file(flush);
    };
    for (let account = 0; account < MAX_FLUSHED_BLOCKS + 5; account += 1) {
      await service.verify(intent, { account_id: `acc_${account}` });
    }
    await service.close();
    expect(sizes.reduce((sum, size) => sum + size)).toBe(MAX_FLUSHED_BLOCKS + 5);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_FLUSHED_BLOCKS);
  });

  test('counts at once what it has filed, and merges it within seconds, once', async () => {
    const storage = probe();
    const { service, timers } = openLocalService({ storage });
    const merged = async () => await rollupsIn(storage, 'acc_local', { kinds: ['verdict'] });
    const verdicts = async () => (await service.analytics()).overview.total_verifications;
    for (const total of [1, 2, 3]) {
      await service.verify(intent);
      expect(await verdicts()).toBe(total);
      expect(await merged()).toMatchObject(total === 1 ? [] : [{ count: total - 1 }]);
      await eventually(async () => {
        await timers.pass(2_000);
        expect(await merged()).toMatchObject([{ key: 'DENY', count: total }]);
      });
      expect(await verdicts()).toBe(total);
    }
    // None for nothing.
    const merges = () => storage.calls.filter((call) => call === 'merge').length;
    const before = merges();
    await timers.pass(MINUTE);
    expect(merges()).toBe(before);
  });

  test('merges one after the other, also while verdicts come in', async () => {
    const storage = probe();
    const { service, timers } = openLocalService({ storage });
    let underWay = 0;
    let most = 0;
    let merges = 0;
    const { unmerged } = storage.journal;
    storage.journal.unmerged = async (query) => {
      underWay += 1;
      most = Math.max(most, underWay);
      merges += 1;
      // A flush that is stored while a merge is under way.
      await service.verify(intent);
      await service.verifications.list();
      const answer = await unmerged(query);
      underWay -= 1;
      return answer;
    };
    await service.verify(intent);
    await service.verifications.list();
    for (let round = 0; round < 12; round += 1) {
      const before = merges;
      await eventually(async () => {
        await timers.pass(2_000);
        expect(merges).toBeGreaterThan(before);
      });
    }
    expect(most).toBe(1);
    // Each run begins one other: with two at once they would double again and again.
    const before = merges;
    await timers.pass(2_000);
    expect(merges - before).toBeLessThanOrEqual(2);
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
    const records = await recordsIn(storage, 'acc_local');
    expect(records.map((record) => record.decision_id)).toEqual([decision_id]);
  });

  test('gives no verdict when the record cannot be stored, and none of them later', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage, journal: 'strict' });
    await service.passports.create(PASSPORT);
    storage.fail = (call) => (call === 'file' ? Promise.reject(new Error('read-only')) : undefined);
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
    expect(storage.calls.filter((call) => call === 'file').length).toBeLessThan(20);
    expect((await service.analytics()).overview.total_verifications).toBe(501);
  });

  test('lets timers run although callers ask again at once and the storage never waits', async () => {
    const { service } = openLocalService({ journal: 'strict' });
    await service.passports.create(PASSPORT);
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 5);
    let asked = 0;
    while (!isOver && asked < 100_000) {
      await service.verify(intent);
      asked += 1;
    }
    expect(isOver).toBe(true);
  });

  test('lets no caller wait without end when a flush fails while others queue', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage, journal: 'strict' });
    await service.passports.create(PASSPORT);
    let failures = 3;
    storage.fail = (call) =>
      call === 'file' && failures-- > 0 ? Promise.reject(new Error('busy')) : undefined;
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
        throw new TypeError('in the application');
      },
    });
    await service.passports.create(PASSPORT);
    await expect(service.verify(intent)).resolves.toMatchObject({ verdict: 'ALLOW' });
    expect(logs.map(({ event }) => event)).toContain('hook_failed');
  });
});
