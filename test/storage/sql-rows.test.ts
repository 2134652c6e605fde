import { expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import type { JournalBatch, StorageAdapter, StoredRecord } from '../../src/ports/index.ts';
import { delta, entry } from '../../src/testing/storage-contract/journal-fixtures.ts';

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

const verdict = entry('dec_a');
const rollup = delta('ALLOW', 1);

const misfitBatches: readonly (readonly [string, object])[] = [
  ['U+0000 in an action', { entries: [verdict, { ...verdict, id: 'b', action: 'a\0b' }] }],
  ['a lone surrogate in a target', { entries: [verdict, { ...verdict, id: 'b', target: '\ud800' }] }],
  ['a number for a boolean', { entries: [verdict, { ...verdict, id: 'b', dry_run: 0 }] }],
  ['an unknown field', { entries: [verdict, { ...verdict, id: 'b', reason_codes: ',x,' }] }],
  ['a lone surrogate in a code', { entries: [{ ...verdict, reasons: [{ code: '\udc00', message: '' }] }] }],
  ['U+0000 in a key', { entries: [verdict], rollups: [rollup, { ...rollup, key: '\0' }] }],
  ['half a count', { entries: [verdict], rollups: [rollup, { ...rollup, count: 0.5 }] }],
  ['U+0000 in the id of a batch', { entries: [verdict], id: '\0' }],
  ['a batch without an instant', { entries: [verdict], at: 'now' }],
];

test.each(misfitBatches)('a batch that the tables cannot hold is rejected whole: %s', async (_, fields) => {
  await withStorage(async (storage) => {
    const batch: JournalBatch = { id: 'b', at: AT, entries: [], rollups: [rollup], ...fields };
    await expect(storage.append(batch)).rejects.toThrow(Error);
    expect((await storage.read({ account_id: 'acc_a', limit: 1 })).entries).toEqual([]);
    await storage.append({ id: 'b', at: AT, entries: [verdict], rollups: [rollup] });
    expect((await storage.read({ account_id: 'acc_a', limit: 2 })).entries).toEqual([verdict]);
  });
});

test('text that no column can hold is nobody’s id, value or counter', async () => {
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
      for (const field of ['account_id', 'agent_id', 'reason']) {
        const { entries } = await storage.read({ account_id: 'acc_a', limit: 1, ...{ [field]: id } });
        expect(entries).toEqual([]);
      }
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
