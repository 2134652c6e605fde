import { expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import type { Block, StorageAdapter, StoredRecord } from '../../src/ports/index.ts';
import {
  block,
  delta,
  flush,
  headerOf,
  merge,
  nameOf,
} from '../../src/testing/storage-contract/journal/fixtures.ts';
import { sumsOf } from '../../src/testing/storage-contract/journal/sums-fixtures.ts';

const AT = '2026-11-20T12:00:00.000Z';
const session: StoredRecord = {
  id: 's',
  account_id: 'acc_a',
  version: 1,
  created_at: AT,
  token_version: 1,
  expires_at: AT,
  revoked_at: null,
};

/** `session` with some fields changed, and those that are `undefined` left out. */
function sessionWith(fields: Readonly<Record<string, unknown>>): StoredRecord {
  const entries = Object.entries({ ...session, ...fields }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as StoredRecord;
}

async function withStorage(run: (storage: StorageAdapter) => Promise<void>): Promise<void> {
  const storage = await sqliteStorage({ file: ':memory:' });
  try {
    await run(storage);
  } finally {
    await storage.close();
  }
}

const misfits: readonly (readonly [string, StoredRecord])[] = [
  ['an unknown field', sessionWith({ colour: 'red' })],
  ['a field named like a part of every object', sessionWith({ constructor: 'x' })],
  ['a field named __proto__', JSON.parse(JSON.stringify(session).replace('{', '{"__proto__":"x",'))],
  ['a missing field', sessionWith({ expires_at: undefined })],
  ['a missing field that may be null', sessionWith({ revoked_at: undefined })],
  ['null in a field that is never null', sessionWith({ expires_at: null })],
  ['a number in a text', sessionWith({ expires_at: 1 })],
  ['a text in a number', sessionWith({ token_version: '1' })],
  ['a fraction', sessionWith({ token_version: 1.5 })],
  ['an integer beyond 2^53', sessionWith({ token_version: 2 ** 53 })],
  ['U+0000 in a text', sessionWith({ id: 'a\0b' })],
  ['a lone surrogate in a text', sessionWith({ account_id: 'a\ud800b' })],
];

test.each(misfits)(
  'a record that the table cannot hold is rejected, and nothing is written: %s',
  async (_, record) => {
    await withStorage(async (storage) => {
      const first = { op: 'insert', collection: 'domains', record: domain } as const;
      const second = { op: 'insert', collection: 'sessions', record } as const;
      await expect(storage.write([first, second])).rejects.toThrow(/^ais_sessions cannot hold this record: /);
      expect(await storage.get('domains', domain.id)).toBeUndefined();
      expect(await storage.list('sessions', { where: {}, limit: 10 })).toEqual([]);
    });
  },
);

const misfitBlocks: readonly (readonly [string, object])[] = [
  ['U+0000 in an account', { account_id: 'a\0b' }],
  ['a lone surrogate in an account', { account_id: '\ud800' }],
  ['half a record', { records: 0.5 }],
  ['a text for a time', { to_ms: '1' }],
  ['no filter', { filter: new Uint8Array(0) }],
  ['another writer', { writer: 'other' }],
  ['another seq', { seq: 2 }],
];

test.each(misfitBlocks)('a flush that the table cannot hold is rejected whole: %s', async (_, fields) => {
  await withStorage(async ({ journal }) => {
    const first = block(1);
    await journal.open(first.writer, AT);
    const misfit = { ...block(1, { account_id: 'acc_b' }), ...fields } as Block;
    await expect(journal.file(flush(1, [first, misfit]))).rejects.toThrow(Error);
    expect(await journal.blocks({ account_id: 'acc_a', limit: 1 })).toEqual([]);
    expect(await journal.file(flush(1, [first]))).toBe('filed');
    expect(await journal.blocks({ account_id: 'acc_a', limit: 2 })).toEqual([headerOf(first)]);
  });
});

const misfitDeltas: readonly (readonly [string, object])[] = [
  ['U+0000 in a key', { key: '\0' }],
  ['a lone surrogate in an agent', { agent_id: '\udc00' }],
  ['half a count', { count: 0.5 }],
  ['a count beyond 2^53', { count: 2 ** 53 }],
];

test.each(misfitDeltas)('a merge that the rollups cannot hold is rejected whole: %s', async (_, fields) => {
  await withStorage(async (storage) => {
    const { journal } = storage;
    await journal.open(block(1).writer, AT);
    await journal.file(flush(1, [block(1)]));
    // Enough that they are stored before they are added.
    for (const number of [1, 2_000]) {
      const rollups = Array.from({ length: number }, (_value, at) => delta(`k${at}`, 1));
      const misfit = { ...delta('ALLOW', 1), ...fields };
      await expect(journal.merge(merge(0, 1, { rollups: [...rollups, misfit] }))).rejects.toThrow(TypeError);
    }
    const { parts, unmerged } = await sumsOf(storage);
    expect(parts).toEqual([[]]);
    expect(unmerged.map(nameOf)).toEqual([nameOf(block(1))]);
  });
});

test('text that no column can hold is no id, value or counter of a record', async () => {
  await withStorage(async (storage) => {
    await storage.write([
      { op: 'insert', collection: 'domains', record: { ...domain, id: 'a\ufffdb' } },
      { op: 'add', counter: 'a\ufffdb', by: 1, at: AT },
    ]);
    for (const id of ['a\ud800b', 'a\udc00b', 'a\0b']) {
      expect(await storage.get('domains', id)).toBeUndefined();
      expect(await storage.list('domains', { where: { id }, limit: 1 })).toEqual([]);
      expect(await storage.count(id, AT)).toBe(0);
      await expect(storage.write([{ op: 'add', counter: id, by: 1, at: AT }])).rejects.toThrow(TypeError);
      expect(await storage.write([{ op: 'remove', collection: 'domains', id, version: 1 }])).toMatchObject({
        failure: 'stale',
      });
      const { journal } = storage;
      expect(await journal.blocks({ account_id: id, limit: 1 })).toEqual([]);
      expect(await journal.filed({ writer: id, from: 0, to: 9, limit: 1 })).toEqual([]);
      expect(await journal.load([{ writer: id, seq: 1, account_id: id }])).toEqual([undefined]);
      for (const field of ['account_id', 'agent_id']) {
        expect(await sumsOf(storage, { [field]: id })).toEqual({ parts: [[]], unmerged: [] });
      }
      await expect(journal.open(id, AT)).rejects.toThrow(TypeError);
      expect(await journal.file(flush(1, [], { writer: id }))).toBe('unknown_writer');
      expect(await journal.merge(merge(0, 1, { writer: id }))).toBe(false);
    }
  });
});

test.each(['colour', 'constructor', '__proto__', 'version', 'id" or 1=1 --'])(
  'a list by %s is rejected: it is no text column',
  async (field) => {
    await withStorage(async (storage) => {
      const where = Object.fromEntries([[field, '1']]);
      await expect(storage.list('sessions', { where, limit: 1 })).rejects.toThrow('cannot be listed by');
    });
  },
);

test('a database in memory says that it is volatile', async () => {
  await withStorage(async (storage) => {
    expect(await storage.check()).toMatchObject({ durability: 'volatile', detail: expect.any(String) });
  });
});

const domain: StoredRecord = {
  id: 'd.example',
  account_id: 'acc_a',
  version: 1,
  created_at: AT,
  changed_at: null,
  changed_by: null,
};
