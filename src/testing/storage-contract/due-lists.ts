import type { ListQuery } from '../../ports/journal.ts';
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { StorageAdapter } from '../../ports/storage.ts';
import type { StoredRecord } from '../../ports/stored.ts';
import type { CollectionName } from '../../ports/stored-records.ts';
import { assertEqual, assertRejects } from './assertions.ts';
import type { Claim } from './case.ts';
import {
  type Fields,
  fixtures,
  holds,
  insert,
  instant,
  lacks,
  NOW,
  purgeAll,
  remove,
  replace,
  written,
} from './fixtures.ts';

export const dueLists: readonly Claim[] = [
  [
    'the due are listed by when, the earliest first, the instant itself among them',
    async (storage) => {
      for (const [id, seconds] of [
        ['b', 3],
        ['a', 3],
        ['c', 1],
        ['d', 4],
      ] as const) {
        await storeSpend(storage, id, instant(seconds));
      }
      await written(storage, insert('spends', fixtures.spends('settled')));
      assertEqual(await dueAt(storage, instant(3)), ['c', 'a', 'b'], 'the list');
      assertEqual(await dueAt(storage, instant(2.999)), ['c'], 'a millisecond before');
      assertEqual(await dueAt(storage, NOW), [], 'before all of them');
      assertEqual(await dueAt(storage, instant(9), 2), ['c', 'a'], 'the first two');
      const [first] = await dueRecords(storage, 'spends', instant(9), 1);
      assertEqual(first, held('c', instant(1)), 'the first');
    },
  ],
  [
    'a record that is replaced or removed is due by what it says now',
    async (storage) => {
      for (const id of ['a', 'b', 'c']) await storeSpend(storage, id, instant(1));
      await written(
        storage,
        replace('spends', fixtures.spends('a', { version: 2 }), 1),
        replace('spends', held('b', instant(5), { version: 2 }), 1),
        remove('spends', 'c', 1),
      );
      assertEqual(await dueAt(storage, instant(4)), [], 'the list before');
      assertEqual(await dueAt(storage, instant(5)), ['b'], 'the list');
    },
  ],
  [
    'what is due of one chain, one account or one agent is listed by itself',
    async (storage) => {
      for (const [id, root_agent_id, seconds] of [
        ['a', 'one', 3],
        ['b', 'other', 1],
        ['c', 'one', 2],
        ['d', 'one', 9],
      ] as const) {
        await written(storage, insert('spends', held(id, instant(seconds), { root_agent_id })));
      }
      await storeSpend(storage, 'e', instant(1));
      const part = async (name: 'spends' | 'approvals', where: Readonly<Record<string, string>>) =>
        (await dueRecords(storage, name, instant(5), 9, { where })).map(({ id }) => id);
      assertEqual(await part('spends', { root_agent_id: 'one' }), ['c', 'a'], 'one chain');
      assertEqual(await part('spends', { root_agent_id: 'none' }), [], 'a chain that holds nothing');
      const settled = fixtures.spends('c', { version: 2, root_agent_id: 'one' });
      await written(storage, replace('spends', settled, 1));
      assertEqual(await part('spends', { root_agent_id: 'one' }), ['a'], 'after one was settled');
      const approval = (id: string, fields: Fields) =>
        fixtures.approvals(id, { due_at: instant(1), ...fields });
      await written(storage, insert('approvals', approval('f', { account_id: 'acc_f', agent_id: 'x' })));
      await written(storage, insert('approvals', approval('g', { account_id: 'acc_g', agent_id: 'x' })));
      assertEqual(await part('approvals', { account_id: 'acc_g' }), ['g'], 'one account');
      assertEqual(await part('approvals', { agent_id: 'x' }), ['f', 'g'], 'one agent');
    },
  ],
  [
    'a list of what is due goes on behind the last that was seen, settled or not',
    async (storage) => {
      for (const id of ['b', 'a', 'd', 'c']) await storeSpend(storage, id, instant(id === 'd' ? 1 : 2));
      const behind = async (id: string, seconds: number) => {
        const after = { due_at: instant(seconds), id };
        return (await dueRecords(storage, 'spends', instant(2), 2, { after })).map((record) => record.id);
      };
      assertEqual(await behind('d', 1), ['a', 'b'], 'behind the first');
      assertEqual(await behind('b', 2), ['c'], 'behind the third');
      assertEqual(await behind('c', 2), [], 'behind the last');
      await written(storage, remove('spends', 'b', 1));
      assertEqual(await behind('b', 2), ['c'], 'behind one that is gone');
      assertEqual(await behind('z', 9), [], 'behind all that is due');
    },
  ],
  [
    'deliveries of webhooks are listed by when they are due, and removed after their end',
    async (storage) => {
      const delivery = (id: string, fields: Fields) => fixtures.webhook_deliveries(id, fields);
      const due = delivery('due', { status: 'pending', due_at: instant(2), is_leased: true });
      await written(
        storage,
        insert('webhook_deliveries', due),
        insert('webhook_deliveries', delivery('later', { due_at: instant(3) })),
        insert('webhook_deliveries', delivery('over', { expires_at: instant(-1) })),
      );
      await storeSpend(storage, 'spend', instant(1));
      assertEqual(await dueRecords(storage, 'webhook_deliveries', instant(2), 10), [due], 'the list');
      assertEqual(await purgeAll(storage, 'webhook_deliveries', NOW), 1, 'the number removed');
      await lacks(storage, 'webhook_deliveries', 'over');
      await holds(storage, 'webhook_deliveries', due);
    },
  ],
  [
    'a list of what is due is at most as long as a page may be',
    async (storage) => {
      await assertRejects(dueRecords(storage, 'spends', NOW, 0), 'a limit of 0');
      await assertRejects(dueRecords(storage, 'spends', NOW, MAX_PAGE_SIZE + 1), 'a limit above the largest');
    },
  ],
  [
    'each collection has due records of its own',
    async (storage) => {
      const approval = (id: string, due_at: string) => fixtures.approvals(id, { due_at });
      await storeSpend(storage, 'a', instant(1));
      await written(storage, insert('approvals', approval('b', instant(2))));
      await written(storage, insert('approvals', approval('c', instant(1))));
      assertEqual(await dueAt(storage, instant(9)), ['a'], 'the spends');
      assertEqual(
        await dueRecords(storage, 'approvals', instant(1), 9),
        [approval('c', instant(1))],
        'the approvals',
      );
      const { due_at: _, ...settled } = fixtures.approvals('c', { status: 'used', version: 2 });
      await written(storage, replace('approvals', settled as StoredRecord, 1));
      assertEqual(
        await dueRecords(storage, 'approvals', instant(1), 9),
        [],
        'the approvals after one was used',
      );
    },
  ],
  [
    'an event is due until its leaf is appended',
    async (storage) => {
      const event = fixtures.events('a', { due_at: NOW });
      await written(storage, insert('events', event), insert('events', fixtures.events('b')));
      assertEqual(await dueRecords(storage, 'events', NOW, 9), [event], 'the events');
      const where = { account_id: 'acc_b' };
      assertEqual(await dueRecords(storage, 'events', NOW, 9, { where }), [], 'those of another account');
      await written(storage, replace('events', fixtures.events('a', { version: 2 }), 1));
      assertEqual(await dueRecords(storage, 'events', NOW, 9), [], 'the events with their leaves');
    },
  ],
  [
    'the approvals of one intent are listed by environment and digest, the newest first',
    async (storage) => {
      const rounds = [
        ['a', 1, {}],
        ['b', 2, {}],
        ['c', 3, { environment: 'test' }],
        ['d', 4, { digest: '01' }],
      ] as const;
      for (const [id, at, fields] of rounds) {
        const created_at = instant(at);
        await written(storage, insert('approvals', fixtures.approvals(id, { created_at, ...fields })));
      }
      const where = { environment: 'live', digest: '00ff' };
      const list = await storage.list('approvals', { where, limit: 9 });
      assertEqual(
        list.map(({ id }) => id),
        ['b', 'a'],
        'the list',
      );
    },
  ],
  [
    'purge removes the approvals that ended before the instant',
    async (storage) => {
      const approval = (id: string, seconds: number) =>
        fixtures.approvals(id, { expires_at: instant(seconds) });
      await written(storage, insert('approvals', approval('before', -0.001)));
      await written(storage, insert('approvals', approval('at', 0)));
      assertEqual(await purgeAll(storage, 'approvals', NOW), 1, 'the number removed');
      await lacks(storage, 'approvals', 'before');
      await holds(storage, 'approvals', approval('at', 0));
    },
  ],
  [
    'purge removes the spends that ended before the instant, and none without an end',
    async (storage) => {
      const spend = (id: string, seconds: number) => fixtures.spends(id, { expires_at: instant(seconds) });
      const kept = [spend('at', 0), held('held', instant(-9))];
      await written(storage, insert('spends', spend('before', -0.001)));
      await written(storage, ...kept.map((record) => insert('spends', record)));
      assertEqual(await purgeAll(storage, 'spends', NOW), 1, 'the number removed');
      await lacks(storage, 'spends', 'before');
      for (const record of kept) await holds(storage, 'spends', record);
    },
  ],
];

function held(id: string, due_at: string, fields = {}) {
  return fixtures.spends(id, {
    status: 'held',
    committed_amount: null,
    held_until: due_at,
    due_at,
    ...fields,
  });
}

async function storeSpend(storage: StorageAdapter, id: string, due_at: string): Promise<void> {
  await written(storage, insert('spends', held(id, due_at)));
}

async function dueAt(storage: StorageAdapter, before: string, limit = 100): Promise<readonly string[]> {
  return (await dueRecords(storage, 'spends', before, limit)).map(({ id }) => id);
}

function dueRecords(
  storage: StorageAdapter,
  collection: CollectionName,
  until: string,
  limit: number,
  part: Partial<Pick<ListQuery, 'where' | 'after'>> = {},
): Promise<readonly StoredRecord[]> {
  return storage.list(collection, { where: {}, ...part, order: 'due_at', until, limit });
}
