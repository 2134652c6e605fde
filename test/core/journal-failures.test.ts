import { describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService } from '../../src/core.ts';
import type { Block, JournalFlush } from '../../src/ports/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import type { Intent } from '../../src/records.ts';
import { eventually } from '../support/eventually.ts';
import { floodOf } from '../support/flood.ts';
import { recordsIn, recordsOf } from '../support/journal.ts';
import { openLocalService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

const intent: Intent = { agent_id: 'did:web:example.com:agents:nobody', action: 'payments.create' };
const down = (call: string) => (call === 'file' ? Promise.reject(new Error('disk full')) : undefined);

/** A storage that refuses every flush with such a block, and takes all others. */
function picky(isRefused: (block: Block) => boolean): StorageAdapter {
  const inner = memoryStorage();
  return {
    ...inner,
    journal: {
      ...inner.journal,
      async file(flush) {
        if (flush.blocks.some(isRefused)) throw new TypeError('does not fit');
        return inner.journal.file(flush);
      },
    },
  };
}

describe('an outage', () => {
  test('is one line when it begins and one when it is over', async () => {
    const storage = probe();
    const { service, logs } = openLocalService({ storage });
    storage.fail = down;
    for (let round = 0; round < 20; round += 1) {
      await service.verify(intent);
      await service.verifications.list();
    }
    storage.fail = undefined;
    // Half a second after it has failed, it is asked again.
    await eventually(async () => expect((await service.verifications.list()).data).toHaveLength(20));
    await service.verify(intent);
    await service.verifications.list();
    expect(logs.map(({ event }) => event)).toEqual(['journal_stuck', 'journal_recovered']);
    expect(logs[0]).toMatchObject({ cause: 'Error: disk full' });
  });

  test('is one line with a strict journal, and each caller gets the error', async () => {
    const storage = probe();
    const onError = vi.fn();
    const { service, logs } = openLocalService({ storage, journal: 'strict', onError });
    storage.fail = down;
    const settled = await Promise.allSettled(Array.from({ length: 2_000 }, () => service.verify(intent)));
    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(onError).toHaveBeenCalledTimes(2_000);
    // A caller behind a batch that fails does not wait for a batch of its own.
    expect(storage.calls.filter((call) => call === 'file').length).toBeLessThan(20);
    storage.fail = undefined;
    await service.verify(intent);
    expect(logs.map(({ event }) => event)).toEqual(['journal_stuck', 'journal_recovered']);
  });

  test('makes analytics say that nothing is complete', async () => {
    const storage = probe();
    const { service, clock } = openLocalService({ storage });
    await service.verify(intent);
    expect(Date.parse((await service.analytics()).complete_since)).toBeLessThan(clock.now());
    storage.fail = down;
    await service.verify(intent);
    expect((await service.analytics()).complete_since).toBe(clock.instant());
    storage.fail = undefined;
  });
});

describe('a block that is refused', () => {
  const holds = (action: string) => (block: Block) => recordsOf([block]).some((one) => one.action === action);

  test('is given up and counted as dropped, and what follows is stored', async () => {
    const storage = picky(holds('poison'));
    const { service, logs } = openLocalService({ storage });
    await service.verify({ ...intent, action: 'poison' });
    await service.verifications.list();
    await service.verify({ ...intent, action: 'after' });
    const { data } = await service.verifications.list();
    expect(data.map(({ action }) => action)).toEqual(['after']);
    expect((await service.analytics()).journal_dropped).toBe(1);
    expect(logs.map(({ event }) => event)).toEqual(['journal_refused']);
  });

  test('takes none of the other accounts with it', async () => {
    const storage = picky(holds('poison'));
    const { service, logs } = openLocalService({ storage });
    const accounts = Array.from({ length: 20 }, (_, index) => `acc_${index}`);
    for (const account_id of accounts) {
      const action = account_id === 'acc_7' ? 'poison' : 'buy';
      await service.verify({ ...intent, action }, { account_id });
    }
    await service.verify({ ...intent, action: 'later' }, { account_id: 'acc_7' });
    for (const account_id of accounts) await service.verifications.list({}, { account_id });
    for (const account_id of accounts) {
      const stored = await recordsIn(storage, account_id);
      expect(stored).toHaveLength(account_id === 'acc_7' ? 0 : 1);
      const { journal_dropped } = await service.analytics({}, { account_id });
      expect(journal_dropped).toBe(account_id === 'acc_7' ? 2 : 0);
    }
    expect(logs.map(({ event }) => event)).toEqual(['journal_refused']);
  });

  test('is an error with a strict journal, and asked for once', async () => {
    const storage = probe(picky(holds('poison')));
    const { service } = openLocalService({ storage, journal: 'strict' });
    const files = () => storage.calls.filter((call) => call === 'file').length;
    await expect(service.verify({ ...intent, action: 'poison' })).rejects.toMatchObject({ code: 'internal' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(files()).toBe(1);
    await service.verify(intent);
    // No verdict was answered that is not recorded.
    expect((await service.analytics()).journal_dropped).toBe(0);
    expect((await service.verifications.list()).data).toHaveLength(1);
  });

  test('is kept as long as the storage takes nothing at all', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    storage.fail = down;
    await service.verify(intent);
    for (let round = 0; round < 50; round += 1) await service.verifications.list();
    storage.fail = undefined;
    await eventually(async () => expect((await service.verifications.list()).data).toHaveLength(1));
  });
});

describe('closing', () => {
  test('tries again when the storage fails for a moment', async () => {
    const storage = probe();
    const { file } = storage.journal;
    const kept: JournalFlush[] = [];
    storage.journal.file = async (flush) => {
      kept.push(flush);
      if (kept.length < 4) throw new Error('busy');
      return file(flush);
    };
    const { service, logs } = openLocalService({ storage });
    await service.verify(intent);
    await service.close();
    expect(kept).toHaveLength(4);
    expect(new Set(kept.map(({ writer, seq }) => `${writer}.${seq}`)).size).toBe(1);
    expect(logs.map(({ event }) => event)).not.toContain('journal_lost');
  });

  test('ends when the storage refuses every block, also those that tell of drops', async () => {
    const { service, logs } = openLocalService({ storage: picky(() => true) });
    await service.verify(intent);
    await service.close();
    expect(logs.map(({ event }) => event)).toEqual(['journal_refused']);
  });

  test('ends all the same when the storage never takes them, and says how many are lost', async () => {
    const storage = probe();
    storage.fail = down;
    const { service, logs } = openLocalService({ storage });
    for (let count = 0; count < 300; count += 1) await service.verify(intent);
    const startedAt = performance.now();
    await service.close();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(logs.filter(({ event }) => event === 'journal_lost')).toMatchObject([{ lost: 300 }]);
  });

  test.each(['batched', 'strict'] as const)(
    'answers no verdict that a %s journal no longer takes',
    async (mode) => {
      const storage = probe();
      const { service } = openLocalService({ storage, journal: mode });
      let answer = (_: undefined): void => {};
      storage.fail = (call) =>
        call === 'get passports' ? new Promise((resolve) => (answer = resolve)) : undefined;
      const late = service.verify(intent);
      await service.close();
      answer(undefined);
      await expect(late).rejects.toMatchObject({ code: 'storage_unavailable' });
    },
  );
});

describe('the bounds', () => {
  test('a strict journal that is full rejects, and takes verdicts again when there is room', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage, journal: 'strict', storageDeadlineMs: 60_000 });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { file } = storage.journal;
    storage.journal.file = (flush) => held.then(() => file(flush));
    const waiting = Array.from(floodOf(), (intents) => service.verifyBatch({ intents }));
    const full = await Promise.race(
      waiting.map((verdict) => verdict.catch((error: { code: string }) => error.code)),
    );
    expect(full).toBe('overloaded');
    release();
    const settled = await Promise.allSettled(waiting);
    const told = settled.filter(({ status }) => status === 'fulfilled').length;
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(waiting.length);
    await expect(service.verify(intent)).resolves.toMatchObject({ verdict: 'DENY' });
    const { overview, journal_dropped } = await service.analytics();
    // Of a batch that was rejected some may be recorded; none is missing of one that was answered.
    expect(overview.total_verifications).toBeGreaterThan(told * 100);
    expect(journal_dropped).toBe(0);
  });

  test('a read is answered although verdicts never stop to come', async () => {
    const { service } = openLocalService();
    let stopped = false;
    const load = (async () => {
      for (let count = 0; !stopped; count += 1) {
        await service.verify(intent);
        if (count % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { data } = await service.verifications.list();
    stopped = true;
    await load;
    expect(data.length).toBeGreaterThan(0);
  });

  test.each([
    ['journal', 'stict'],
    ['retentionDays', 0],
    ['retentionDays', 1.5],
    ['retentionDays', Number.NaN],
    ['retentionDays', 36_501],
  ])('a service with %s %s is refused', (name, value) => {
    expect(() => createIdentityService({ storage: memoryStorage(), [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }) as Error,
    );
  });
});

describe('hooks that fail', () => {
  test('by a rejection or a throw change no verdict and no error, and are named once a minute', async () => {
    const storage = probe();
    const { service, logs, clock } = openLocalService({
      storage,
      onVerdict: async () => {
        throw new TypeError('in the application');
      },
      onError() {
        throw new RangeError('in the application');
      },
    });
    for (let round = 0; round < 5; round += 1) await service.verify(intent);
    clock.advance(60_000);
    storage.fail = () => Promise.reject(new Error('down'));
    await expect(service.verify(intent)).rejects.toMatchObject({ code: 'storage_unavailable' });
    storage.fail = undefined;
    const failed = logs.filter(({ event }) => event === 'hook_failed').map(({ message }) => message);
    expect(failed).toEqual(['onVerdict threw TypeError.', 'onError threw RangeError.']);
  });

  test('onVerdict does not hear of a verdict that a strict journal did not take', async () => {
    const storage = probe();
    const onVerdict = vi.fn();
    const { service } = openLocalService({ storage, journal: 'strict', onVerdict });
    storage.fail = down;
    await expect(service.verify(intent)).rejects.toThrow();
    expect(onVerdict).not.toHaveBeenCalled();
  });
});
