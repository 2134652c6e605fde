import { describe, expect, test } from 'vitest';
import { jsonLengthOf } from '../../../src/core/storage/caches.ts';
import type { Change, StorageAdapter } from '../../../src/ports/storage.ts';
import type { StoredRecord } from '../../../src/ports/stored.ts';
import { decide } from '../../../src/verdict/index.ts';
import { ED25519_KEYS } from '../../support/agent-keys.ts';
import { ACCOUNT, DOMAIN, KEY, open, PASSPORT } from './opened-caches.ts';

const { id } = PASSPORT;

const replacement = (changed: object): Change => {
  const record = { ...PASSPORT, ...changed } as unknown as StoredRecord;
  return { op: 'replace', collection: 'passports', record, version: 1 };
};

describe('what is kept', () => {
  test('of a passport is what verdicts need, frozen throughout', async () => {
    const { caches, put } = await open();
    const other = {
      ...PASSPORT,
      id: 'did:web:shop.example.com:agents:other',
      denied_actions: ['deny'],
      allowed_targets: ['did:web:a.example'],
      monetary_actions: ['pay'],
      metadata: { team: 'a', none: null },
      budgets: [{ name: 'few', window: 'day', count: 3, actions: ['pay'] }],
      public_keys: structuredClone(ED25519_KEYS),
    };
    await put('passports', other);
    const { value } = await caches.passports.load(other.id, 1);
    expect(value).toMatchObject({
      agent_id: other.id,
      account_id: 'acc_1',
      version: 1,
      updated_at: PASSPORT.updated_at,
    });
    const { passport } = value?.prepared ?? expect.fail('It was not found.');
    expect(passport).toEqual({ ...other, agent_id: other.id });
    const parts = [passport, passport.allowed_actions, passport.denied_actions, passport.allowed_targets];
    const [budget] = passport.budgets ?? [];
    const lists = [passport.monetary_actions, passport.budgets, budget?.actions, passport.public_keys];
    const objects = [passport.metadata, budget, passport.public_keys?.[0]];
    for (const part of [...parts, ...lists, ...objects]) {
      expect(part).toBeDefined();
      expect(Object.isFrozen(part)).toBe(true);
    }
    const intent = { agent_id: other.id, action: 'pay', target: 'did:web:b.example' };
    const { reasons } = decide({ passport: value?.prepared, intent, at: 0 });
    expect(reasons.map(({ code }) => code)).toEqual(['target_not_allowed', 'amount_required']);
  });

  test('of a passport is a copy of what the storage gave', async () => {
    const given = {
      ...structuredClone(PASSPORT),
      denied_actions: ['deny'],
      metadata: { team: 'a' },
      budgets: [{ name: 'few', window: 'day', count: 3, actions: ['pay'] }],
      approval: { above: 5, actions: ['pay'] },
    };
    const wrap = (storage: StorageAdapter): StorageAdapter => ({
      ...storage,
      get: async () => given as never,
    });
    const { caches } = await open({ wrap });
    const { value } = await caches.passports.load(id, 1);
    given.denied_actions.push('pay');
    given.metadata.team = 'b';
    for (const part of [...given.budgets, given.approval]) part.actions.push('sell');
    for (const budget of given.budgets) budget.count = 9;
    const { passport } = value?.prepared ?? expect.fail('It was not found.');
    expect(passport).toMatchObject({
      denied_actions: ['deny'],
      metadata: { team: 'a' },
      budgets: [{ count: 3, actions: ['pay'] }],
      approval: { actions: ['pay'] },
    });
    for (const part of [passport.denied_actions, passport.metadata]) expect(Object.isFrozen(part)).toBe(true);
  });

  test('of a passport without optional lists has none of them', async () => {
    const { caches } = await open();
    const { value } = await caches.passports.load(id, 1);
    const { passport } = value?.prepared ?? expect.fail('It was not found.');
    expect(Object.keys(passport).sort()).toEqual(['agent_id', ...Object.keys(PASSPORT)].sort());
  });

  test('of a domain is its record', async () => {
    expect(await (await open()).load('domains', DOMAIN.id)).toEqual(DOMAIN);
  });

  test('of a passport with a parent is its parent, and of any passport nothing yet of its ancestors', async () => {
    const { load, put } = await open();
    const child = { ...PASSPORT, id: 'did:web:shop.example.com:agents:child', parent_agent_id: id };
    await put('passports', child);
    expect(await load('passports', child.id)).toMatchObject({ parent_agent_id: id, ancestry: undefined });
    expect(await load('passports', id)).toMatchObject({ parent_agent_id: undefined, ancestry: undefined });
  });

  test('of a key is its record, which was not used yet', async () => {
    const { load } = await open();
    const kept = { record: KEY, caller: undefined, noteAt: Number.NEGATIVE_INFINITY };
    expect(await load('keys', 'key_1')).toEqual(kept);
  });

  test('of an account is its plan, and whether it is disabled', async () => {
    const { load, put } = await open();
    await put('accounts', { ...ACCOUNT, id: 'acc_2', disabled_at: PASSPORT.created_at });
    expect(await load('accounts', 'acc_1')).toEqual({ plan: 'team', disabled: false });
    expect(await load('accounts', 'acc_2')).toEqual({ plan: 'team', disabled: true });
  });
});

describe('a passport that is read again', () => {
  test('is the one that was prepared, while it has not changed', async () => {
    const { caches, load } = await open();
    const first = await load('passports', id);
    caches.passports.note(id);
    expect(await load('passports', id)).toBe(first);
  });

  test('is another one when the same version holds something else, as after a restored back-up', async () => {
    const { caches, change, load } = await open();
    await load('passports', id);
    await change({ op: 'remove', collection: 'passports', id, version: 1 });
    const record = { ...PASSPORT, status: 'revoked', updated_at: '2026-01-02T00:00:00.000Z' };
    await change({ op: 'insert', collection: 'passports', record: record as unknown as StoredRecord });
    caches.passports.note(id);
    expect(await load('passports', id)).toMatchObject({ prepared: { passport: { status: 'revoked' } } });
  });

  test('is another one when another version was written in the same millisecond', async () => {
    const { caches, change, load } = await open();
    await load('passports', id);
    await change(replacement({ version: 2, status: 'revoked' }));
    caches.passports.note(id);
    expect(await load('passports', id)).toMatchObject({
      version: 2,
      prepared: { passport: { status: 'revoked' } },
    });
  });
});

describe('a change', () => {
  test('that this process writes is known at once, and in one collection only', async () => {
    const { store, load, isKnown } = await open();
    await load('passports', id);
    await load('keys', 'key_1');
    expect(await store.write(replacement({ version: 2, status: 'revoked' }))).toMatchObject({
      written: true,
    });
    expect(isKnown('passports', id)).toBe(false);
    expect(isKnown('keys', 'key_1')).toBe(true);
    expect(await load('passports', id)).toMatchObject({ version: 2 });
  });

  test('that this process writes unless its caller is gone is known at once, too', async () => {
    const { store, load, isKnown } = await open();
    await load('accounts', ACCOUNT.id);
    const { signal } = new AbortController();
    const changed = { ...ACCOUNT, version: 2, plan: 'starter' };
    const change = { op: 'replace', collection: 'accounts', version: 1, record: changed } as const;
    expect((await store.writeUnless(signal, change)).written).toBe(true);
    expect(isKnown('accounts', ACCOUNT.id)).toBe(false);
    expect(await load('accounts', ACCOUNT.id)).toMatchObject({ plan: 'starter' });
  });

  test('reaches those who watch, until they stop', async () => {
    const { caches, tell } = await open();
    const heard: unknown[] = [];
    const stop = caches.watch((notice) => heard.push(notice));
    const notice = { collection: 'keys', id: KEY.id, version: 2 } as const;
    tell(notice);
    tell();
    stop();
    tell(notice);
    expect(heard).toEqual([notice, undefined]);
  });

  test('that was written is one that no older answer of the storage undoes', async () => {
    let isOld = false;
    const wrap = (storage: StorageAdapter): StorageAdapter => ({
      ...storage,
      get: async (collection, key) => (isOld ? (PASSPORT as never) : storage.get(collection, key)),
    });
    const { store, load } = await open({ wrap });
    await store.write(replacement({ version: 2, status: 'revoked' }));
    isOld = true;
    await expect(load('passports', id)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('that another came before, or that may have failed, leaves nothing in memory', async () => {
    const { store, load, isKnown } = await open();
    await load('passports', id);
    expect(await store.write({ ...replacement({ version: 8 }), version: 7 } as Change)).toMatchObject({
      written: false,
    });
    expect(isKnown('passports', id)).toBe(false);
    expect(await load('passports', id)).toMatchObject({ version: 1 });

    const wrap = (storage: StorageAdapter): StorageAdapter => ({
      ...storage,
      async write(changes) {
        await storage.write(changes);
        throw new Error('The answer is lost.');
      },
    });
    const failing = await open({ wrap });
    await failing.load('passports', id);
    const written = failing.store.write(replacement({ version: 2, status: 'revoked' }));
    await expect(written).rejects.toThrow('lost');
    expect(failing.isKnown('passports', id)).toBe(false);
    expect(await failing.load('passports', id)).toMatchObject({ version: 2 });
  });

  test('that did fail is expected of no later answer', async () => {
    const wrap = (storage: StorageAdapter): StorageAdapter => ({
      ...storage,
      write: () => Promise.reject(new Error('The storage is full.')),
    });
    const { store, load } = await open({ wrap });
    await expect(store.write(replacement({ version: 2 }))).rejects.toThrow('full');
    expect(await load('passports', id)).toMatchObject({ version: 1 });
  });

  test('of what is not kept in memory does not reach the caches', async () => {
    const { store } = await open();
    const record = { ...KEY, id: 'ses_1' } as StoredRecord;
    expect(await store.write({ op: 'insert', collection: 'sessions', record })).toMatchObject({
      written: true,
    });
  });

  test('that the storage notifies of is known at once', async () => {
    const { tell, load, isKnown } = await open();
    for (const [collection, key] of [['passports', id] as const, ['keys', 'key_1'] as const]) {
      await load(collection, key);
      tell({ collection: 'sessions', id: key, version: 2 });
      expect(isKnown(collection, key)).toBe(true);
      tell({ collection, id: key, version: 2 });
      expect(isKnown(collection, key)).toBe(false);
    }
  });

  test('may be any when the storage lost its connection: all is read again', async () => {
    const { tell, load, isKnown } = await open();
    const all = [['passports', id] as const, ['keys', 'key_1'] as const, ['accounts', 'acc_1'] as const];
    for (const [collection, key] of all) await load(collection, key);
    for (const [collection, key] of all) expect(isKnown(collection, key)).toBe(true);
    tell();
    for (const [collection, key] of all) expect(isKnown(collection, key)).toBe(false);
  });

  test('is no longer reported once the caches are stopped', async () => {
    const { caches, listeners } = await open();
    expect(listeners.size).toBe(1);
    caches.stop();
    expect(listeners.size).toBe(0);
  });

  test('needs no notice: a storage that sends none is read again in time', async () => {
    const { caches, load } = await open({ wrap: ({ subscribe: _, ...storage }) => storage });
    expect(await load('keys', 'key_1')).toMatchObject({ record: KEY });
    expect(() => caches.stop()).not.toThrow();
  });
});

test('time is that of the monotonic clock', async () => {
  expect((await open()).caches.monotonic()).toBe(1);
});

test.each([
  ['keys', 1_000, KEY],
  ['accounts', 600, ACCOUNT],
  ['domains', 600, DOMAIN],
  ['passports', 600 + 1.3 * jsonLengthOf(PASSPORT as never), PASSPORT],
] as const)('%s are counted with about what they take in memory', async (collection, bytes, record) => {
  const { load, put, isKnown } = await open({ maxBytes: Math.ceil(bytes) * 3 });
  for (const letter of ['x', 'y', 'z', 'w']) {
    const next = { ...record, id: record.id.slice(0, -1) + letter };
    await put(collection, next);
    await load(collection, next.id);
  }
  const left = ['x', 'y', 'z', 'w'].filter((letter) => isKnown(collection, record.id.slice(0, -1) + letter));
  expect(left).toEqual(['y', 'z', 'w']);
});

test('what does not exist takes 300 bytes', async () => {
  const { load, isKnown } = await open({ maxBytes: 3 * 300 });
  const missing = ['key_a', 'key_b', 'key_c', 'key_d'];
  for (const key of missing) expect(await load('keys', key)).toBeUndefined();
  expect(missing.filter((key) => isKnown('keys', key))).toEqual(['key_b', 'key_c', 'key_d']);
});
