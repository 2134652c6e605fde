import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { StorageAdapter } from '../../ports/storage.ts';
import type { CollectionName } from '../../ports/stored-records.ts';
import { assert, assertEqual, assertRejects } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, type Fields, fixtures, insert, instant, readAll, replace, written } from './fixtures.ts';

/** Ids, sorted by their UTF-8 bytes. UTF-16 units and languages have other orders. */
const ascending: readonly string[] = [
  '',
  ' ',
  '10',
  '9',
  'A',
  'Z',
  '_',
  'a',
  'aa',
  'b',
  'z',
  'e\u0301',
  '\u00e9',
  '\u0434',
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '\uffff',
  '\u{10000}',
  '😀',
  '😀a',
  '\u{10ffff}',
].sort((a, b) => compareBytes(new TextEncoder().encode(a), new TextEncoder().encode(b)));

const descending: readonly string[] = [...ascending].reverse();

export const lists: readonly Claim[] = [
  [
    'a list of nothing is empty',
    async (storage) => {
      assertEqual(
        await storage.list('passports', { where: { account_id: 'acc_a' }, limit: 50 }),
        [],
        'the list',
      );
    },
  ],
  [
    'a list holds whole records',
    async (storage) => {
      const record = fixtures.passports('id', { currency: 'EUR', denied_actions: [] });
      await written(storage, insert('passports', record));
      assertEqual(await storage.list('passports', { where: {}, limit: 1 }), [record], 'the list');
    },
  ],
  [
    'lists are newest first, in any order of storing',
    async (storage) => {
      for (const second of [3, 1, 5, 2, 4]) await store(storage, 'keys', `k${second}`, second);
      assertEqual(
        await ids(storage, { account_id: 'acc_a' }, 10),
        ['k5', 'k4', 'k3', 'k2', 'k1'],
        'the list',
      );
    },
  ],
  [
    'records of one instant are ordered by the bytes of their ids',
    async (storage) => {
      const shuffled = [...ascending].sort((a, b) => a.length - b.length || (a < b ? 1 : -1));
      for (const id of shuffled) await store(storage, 'keys', id, 0);
      assertEqual(await ids(storage, { account_id: 'acc_a' }, 100), descending, 'the list');
      assertEqual(await readAll(storage, 'keys', { account_id: 'acc_a' }, 1), descending, 'the pages of one');
    },
  ],
  [
    `a page holds at most limit records, and 1 and ${MAX_PAGE_SIZE} are limits`,
    async (storage) => {
      await fill(storage, MAX_PAGE_SIZE + 1);
      for (const limit of [1, 2, MAX_PAGE_SIZE - 1, MAX_PAGE_SIZE]) {
        assertEqual(
          (await ids(storage, { account_id: 'acc_a' }, limit)).length,
          limit,
          'the number of records',
        );
      }
    },
  ],
  [
    `limits outside of 1 to ${MAX_PAGE_SIZE} reject`,
    async (storage) => {
      await fill(storage, 2);
      for (const limit of [0, -1, MAX_PAGE_SIZE + 1, Number.NaN]) {
        await assertRejects(storage.list('keys', { where: {}, limit }), `the limit ${limit}`);
      }
    },
  ],
  [
    'pages are complete and without duplicates, with many records of one instant',
    async (storage) => {
      const expected = await fill(storage, 250, (at) => Math.floor(at / 40));
      for (const limit of [7, 40, 249, 250, 251]) {
        assertEqual(
          await readAll(storage, 'keys', { account_id: 'acc_a' }, limit),
          expected,
          `pages of ${limit}`,
        );
      }
    },
  ],
  [
    'pages are complete while records are stored and replaced',
    async (storage) => {
      const expected = await fill(storage, 60, (at) => Math.floor(at / 9));
      let round = 0;
      const disturb = async (): Promise<void> => {
        round += 1;
        const seen = expected[round] ?? '';
        const record = await storage.get('keys', seen);
        assert(record !== undefined, 'the record is missing');
        const next = { ...record, version: record.version + 1, name: `renamed ${round}` };
        await written(storage, replace('keys', next, record.version));
        await store(storage, 'keys', `new${round}`, 1_000 + round);
      };
      const found = await readAll(storage, 'keys', { account_id: 'acc_a' }, 7, disturb);
      assertEqual(found, expected, 'the pages');
    },
  ],
  [
    'a page goes on after a position that was never stored',
    async (storage) => {
      for (const second of [1, 2, 3]) await store(storage, 'keys', 'k'.repeat(second), second);
      const page = async (second: number, id: string): Promise<readonly string[]> => {
        const after = { created_at: instant(second), id };
        const records = await storage.list('keys', { where: { account_id: 'acc_a' }, after, limit: 10 });
        return records.map((record) => record.id);
      };
      assertEqual(await page(9, ''), ['kkk', 'kk', 'k'], 'after a newer position');
      assertEqual(await page(2, 'zz'), ['kk', 'k'], 'after a greater id of the instant');
      assertEqual(await page(2, 'kk'), ['k'], 'after a record');
      assertEqual(await page(2, 'a'), ['k'], 'after a smaller id of the instant');
      assertEqual(await page(0, 'zz'), [], 'after an older position');
    },
  ],
  [
    'a list without conditions holds every record of the collection',
    async (storage) => {
      await store(storage, 'accounts', 'a', 1, { account_id: 'acc_a' });
      await store(storage, 'accounts', 'b', 2, { account_id: 'acc_b' });
      await store(storage, 'keys', 'c', 3);
      assertEqual(await readAll(storage, 'accounts', {}, 1), ['b', 'a'], 'the pages');
    },
  ],
  [
    'a list holds the records of its account only',
    async (storage) => {
      for (const second of [1, 2, 3, 4]) {
        await store(storage, 'keys', `k${second}`, second, {
          account_id: second % 2 === 0 ? 'acc_b' : 'acc_a',
        });
      }
      assertEqual(await ids(storage, { account_id: 'acc_a' }, 10), ['k3', 'k1'], 'the first account');
      assertEqual(await ids(storage, { account_id: 'acc_b' }, 1), ['k4'], 'the second account');
      assertEqual(await ids(storage, { account_id: 'acc_c' }, 10), [], 'an account without records');
    },
  ],
  [
    'every condition has to hold',
    async (storage) => {
      const domains = ['a.example', 'b.example', 'a.example'];
      const accounts = ['acc_a', 'acc_a', 'acc_b'];
      for (const [at, domain] of domains.entries()) {
        await store(storage, 'passports', `p${at}`, at, { domain, account_id: accounts[at] ?? '' });
      }
      const list = (where: Readonly<Record<string, string>>): Promise<readonly string[]> =>
        readAll(storage, 'passports', where, 1);
      assertEqual(await list({ account_id: 'acc_a', domain: 'a.example' }), ['p0'], 'two conditions');
      assertEqual(await list({ domain: 'a.example' }), ['p2', 'p0'], 'the domain');
      assertEqual(
        await list({ account_id: 'acc_b', domain: 'b.example' }),
        [],
        'conditions that exclude each other',
      );
      assertEqual(
        await list({ account_id: 'acc_a', domain: 'b.example', status: 'active' }),
        ['p1'],
        'three conditions',
      );
      assertEqual(await list({ account_id: 'acc_a', status: 'revoked' }), [], 'a value that no record has');
    },
  ],
  [
    'a field that is null or absent equals no text',
    async (storage) => {
      await store(storage, 'passports', 'p', 0);
      for (const text of ['null', 'undefined', '']) {
        for (const field of ['suspended_by', 'currency']) {
          assertEqual(await readAll(storage, 'passports', { [field]: text }, 10), [], `${field} of ${text}`);
        }
      }
    },
  ],
  [
    'lists follow a record whose fields change',
    async (storage) => {
      await store(storage, 'passports', 'p', 0);
      const where = { account_id: 'acc_a', status: 'active' };
      assertEqual(await readAll(storage, 'passports', where, 10), ['p'], 'before');
      const revoked = fixtures.passports('p', { created_at: instant(0), version: 2, status: 'revoked' });
      await written(storage, replace('passports', revoked, 1));
      assertEqual(await readAll(storage, 'passports', where, 10), [], 'after');
      assertEqual(
        await readAll(storage, 'passports', { ...where, status: 'revoked' }, 10),
        ['p'],
        'as revoked',
      );
    },
  ],
  [
    'the versions of a passport are listed by its agent_id',
    async (storage) => {
      for (const at of [1, 2, 12]) {
        const id = `did:web:x.example:agents:a@${String(at).padStart(10, '0')}`;
        await store(storage, 'passport_versions', id, 0, {
          agent_id: 'did:web:x.example:agents:a',
          version: at,
        });
      }
      await store(storage, 'passport_versions', 'other', 0, { agent_id: 'did:web:x.example:agents:b' });
      const records = await storage.list('passport_versions', {
        where: { agent_id: 'did:web:x.example:agents:a' },
        limit: 10,
      });
      assertEqual(
        records.map(({ version }) => version),
        [12, 2, 1],
        'the versions',
      );
    },
  ],
  [
    'a list is not disturbed by counters',
    async (storage) => {
      await written(storage, add('keys', 1), add('acc_a', 1));
      assertEqual(await ids(storage, { account_id: 'acc_a' }, 10), [], 'the list');
    },
  ],
];

async function ids(
  storage: StorageAdapter,
  where: Readonly<Record<string, string>>,
  limit: number,
): Promise<readonly string[]> {
  return (await storage.list('keys', { where, limit })).map(({ id }) => id);
}

async function store(
  storage: StorageAdapter,
  collection: CollectionName,
  id: string,
  second: number,
  fields: Fields = {},
): Promise<void> {
  const record = fixtures[collection](id, { created_at: instant(second), ...fields });
  await written(storage, insert(collection, record));
}

async function fill(
  storage: StorageAdapter,
  number: number,
  second: (at: number) => number = (at) => at,
): Promise<readonly string[]> {
  const records = Array.from({ length: number }, (_, at) =>
    fixtures.keys(`k${String(at).padStart(5, '0')}`, { created_at: instant(second(at)) }),
  );
  for (let from = 0; from < number; from += 100) {
    await written(storage, ...records.slice(from, from + 100).map((record) => insert('keys', record)));
  }
  return records.map(({ id }) => id).reverse();
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
