import type { ListQuery } from '../../ports/journal.ts';
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { StorageAdapter } from '../../ports/storage.ts';
import { assertEqual, assertRejects } from './assertions.ts';
import type { Claim } from './case.ts';
import { fixtures, insert, instant, NOW, replace, written } from './fixtures.ts';

export const expiredLists: readonly Claim[] = [
  [
    'the expired are listed by their expiry, the latest first, the instant itself among them',
    async (storage) => {
      for (const [id, seconds] of [
        ['b', 3],
        ['a', 3],
        ['c', 1],
        ['d', 4],
        ['e', 2],
      ] as const) {
        await storePassport(storage, id, { expires_at: instant(seconds) });
      }
      await storePassport(storage, 'never', {});
      await storePassport(storage, 'theirs', { account_id: 'acc_b', expires_at: instant(1) });
      assertEqual(await expired(storage, { until: instant(3) }), ['b', 'a', 'e', 'c'], 'the list');
      assertEqual(await expired(storage, { until: instant(2.999) }), ['e', 'c'], 'a millisecond before');
      assertEqual(await expired(storage, { until: instant(0) }), [], 'before all of them');
      assertEqual(await expired(storage, { until: instant(9), limit: 2 }), ['d', 'b'], 'the first two');
    },
  ],
  [
    'pages of the expired are complete, with many of one instant',
    async (storage) => {
      const ids = Array.from({ length: 90 }, (_, at) => `p${String(at).padStart(3, '0')}`);
      for (const [at, id] of ids.entries()) {
        await storePassport(storage, id, { expires_at: instant(Math.floor(at / 20)) });
      }
      for (const limit of [7, 20, 89, 90, 91]) {
        const found: string[] = [];
        let after: ListQuery['after'];
        for (;;) {
          const where = { account_id: 'acc_a' };
          const query = { where, until: instant(99), limit, ...(after && { after }) };
          const page = await storage.list('passports', { order: 'expires_at', ...query });
          found.push(...page.map(({ id }) => id));
          const last = page.at(-1);
          if (last === undefined || page.length < limit) break;
          after = { expires_at: String(last['expires_at']), id: last.id };
        }
        assertEqual(found, [...ids].reverse(), `pages of ${limit}`);
      }
    },
  ],
  [
    'keys are found by their status as well, and a record follows its changes',
    async (storage) => {
      const key = fixtures.keys('k', { expires_at: instant(1) });
      const ended = fixtures.keys('ended', { expires_at: instant(1), status: 'expired' });
      await written(storage, insert('keys', key), insert('keys', ended));
      const find = async (status: string) => {
        const query = { where: { account_id: 'acc_a', status }, until: instant(2), limit: 9 };
        return (await storage.list('keys', { order: 'expires_at', ...query })).map(({ id }) => id);
      };
      assertEqual(await find('active'), ['k'], 'the active');
      await written(storage, replace('keys', { ...key, version: 2, status: 'expired' }, 1));
      assertEqual(await find('active'), [], 'the active after the change');
      assertEqual(await find('expired'), ['k', 'ended'], 'the expired');
      await written(storage, replace('keys', { ...key, version: 3, expires_at: instant(60) }, 2));
      assertEqual(await find('active'), [], 'one that expires later');
    },
  ],
  [
    `limits of a list of the expired outside of 1 to ${MAX_PAGE_SIZE} reject`,
    async (storage) => {
      for (const limit of [0, -1, MAX_PAGE_SIZE + 1, Number.NaN]) {
        const query = { where: { account_id: 'acc_a' }, until: instant(0), limit };
        await assertRejects(
          storage.list('passports', { order: 'expires_at', ...query }),
          `the limit ${limit}`,
        );
      }
    },
  ],
  [
    'an order that the collection does not declare is rejected, and so are other fields in it',
    async (storage) => {
      const page = { until: instant(9), limit: 9 } as const;
      const account = { account_id: 'acc_a' };
      for (const [collection, query] of [
        ['passports', { ...page, where: {}, order: 'expires_at' }],
        ['passports', { ...page, where: { domain: 'example.com' }, order: 'expires_at' }],
        ['sessions', { ...page, where: account, order: 'expires_at' }],
        ['passports', { ...page, where: account, order: 'due_at' }],
        ['spends', { ...page, where: account, order: 'due_at' }],
        ['spends', { ...page, where: {}, order: 'due_at', after: { id: 'a', created_at: NOW } }],
      ] as const) {
        const what = `${collection} ${JSON.stringify(query)}`;
        await assertRejects(storage.list(collection, query), what);
      }
    },
  ],
];

async function storePassport(
  storage: StorageAdapter,
  id: string,
  fields: Parameters<typeof fixtures.passports>[1],
): Promise<void> {
  await written(storage, insert('passports', fixtures.passports(id, fields)));
}

async function expired(storage: StorageAdapter, query: Partial<ListQuery>): Promise<readonly string[]> {
  const whole = { where: { account_id: 'acc_a' }, until: instant(0), limit: 50, ...query };
  return (await storage.list('passports', { order: 'expires_at', ...whole })).map(({ id }) => id);
}
