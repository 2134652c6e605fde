import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { changeRecordId, eventId } from '../../../src/base/bytes/event-position.ts';
import { versionId } from '../../../src/core/passports/passport-record.ts';
import { type EventStream, eventFrame } from '../../../src/core.ts';
import type { Change, StorageAdapter } from '../../../src/ports/storage.ts';
import type { StoredRecord } from '../../../src/ports/stored.ts';
import type { IdentityEvent } from '../../../src/records/event.ts';
import { openService, PASSWORD } from '../../support/service.ts';

const KIB = 1_024;
/** As a passport with long lists; larger than what a stream holds is the sum of a few. */
const LARGE = 160 * KIB;
/** What a stream hands out at once, with what is around the data in a frame. */
const MAX_PIECE = 520 * KIB;

/** What was asked of the events of a storage, and how much of it at the same time. */
interface Watched {
  readonly storage: StorageAdapter;
  lists: number;
  listing: number;
  mostListing: number;
  getting: number;
  mostGetting: number;
  largestPage: number;
}

function watched(): Watched {
  const storage = memoryStorage();
  const seen = { lists: 0, listing: 0, mostListing: 0, getting: 0, mostGetting: 0, largestPage: 0 };
  const later = () => new Promise((resolve) => setImmediate(resolve));
  return Object.assign(seen, {
    storage: {
      ...storage,
      async list(...[collection, query]: Parameters<StorageAdapter['list']>) {
        if (collection !== 'events') return storage.list(collection, query);
        seen.lists += 1;
        seen.listing += 1;
        seen.mostListing = Math.max(seen.mostListing, seen.listing);
        await later();
        const records = await storage.list(collection, query);
        const size = JSON.stringify(records).length;
        seen.largestPage = Math.max(seen.largestPage, size);
        seen.listing -= 1;
        return records;
      },
      async get(...[collection, id]: Parameters<StorageAdapter['get']>) {
        if (collection !== 'events' && collection !== 'passport_versions') return storage.get(collection, id);
        seen.getting += 1;
        seen.mostGetting = Math.max(seen.mostGetting, seen.getting);
        await later();
        seen.getting -= 1;
        return storage.get(collection, id);
      },
    },
  });
}

async function stage() {
  const seen = watched();
  const opened = openService({ storage: seen.storage });
  const { service, clock } = opened;
  const { id: account_id } = await service.accounts.create({ email: 'a@example.com', password: PASSWORD });
  const begin = (await service.events.open({}, { account_id })).begin;
  const { agent_id } = await service.passports.create(
    { domain: 'a.example', agent_name: 'a', allowed_actions: [], monetary_limit_per_txn: 1 },
    { account_id },
  );
  const [first] = await seen.storage.list('passport_versions', { where: { agent_id }, limit: 1 });
  let made = 1;
  /**
   * Stores events of `size` bytes; their ids. Those of passports are small, and their versions large, as an older version
   * of the service may have stored them.
   */
  async function store(
    count: number,
    { size = LARGE, apartMs = 100, type = 'key.updated' } = {},
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    const changes = Array.from({ length: count }, (): readonly Change[] => {
      clock.advance(apartMs);
      made += 1;
      const id = eventId({ ms: clock.now(), source: 'c', name: `${made}`.padStart(16, '0') });
      ids.push(id);
      const description = 'x'.repeat(size);
      const isOfPassport = type.startsWith('passport.');
      const record = {
        id: changeRecordId(id, account_id),
        account_id,
        version: 1,
        created_at: clock.instant(),
        type,
        expires_at: clock.instant(1_000_000_000),
        data: isOfPassport ? { agent_id, version: made, changed_by: account_id } : { description },
      };
      const passport = { ...(first?.['passport'] as object), version: made, description };
      const version = { ...first, id: versionId(agent_id, made), passport } as unknown as StoredRecord;
      const insert = { op: 'insert', collection: 'events', record } as const;
      return [
        insert,
        ...(isOfPassport
          ? [{ op: 'insert', collection: 'passport_versions', record: version } as const]
          : []),
      ];
    });
    await seen.storage.write(changes.flat());
    return ids;
  }
  const open = (after?: string) =>
    service.events.open({ types: ['key.*', 'passport.updated'], ...(after && { after }) }, { account_id });
  return { ...opened, seen, begin, store, open };
}

const lengthOf = (events: readonly IdentityEvent[]) =>
  events.reduce((sum, event) => sum + eventFrame(event).length, 0);

/** The ids in the order in which they come, and the length of the longest piece. */
async function readAll(stream: EventStream, count: number) {
  const ids: string[] = [];
  let longest = 0;
  while (ids.length < count) {
    const events = (await stream.read(5_000)) ?? [];
    expect(events.length).toBeGreaterThan(0);
    ids.push(...events.map(({ id }) => id));
    longest = Math.max(longest, lengthOf(events));
  }
  return { ids, longest };
}

test.each([
  ['that come one after the other', { apartMs: 100 }],
  ['of one instant', { apartMs: 0 }],
  ['of passports', { type: 'passport.updated' }],
  ['of passports of one instant', { apartMs: 0, type: 'passport.updated' }],
])('large events %s are replayed in order, in pieces of at most 512 KiB', async (_, options) => {
  const { begin, store, open, seen, clock } = await stage();
  // Nothing happens for a time, of which no size can be learned.
  clock.advance(3_600_000);
  const ids = await store(40, options);
  seen.largestPage = 0;
  const found = await readAll(await open(begin), ids.length);
  expect(found.ids).toEqual(ids);
  expect(found.longest).toBeLessThanOrEqual(MAX_PIECE);
  // Before the size of any is known, four are read.
  expect(seen.largestPage).toBeLessThanOrEqual(4 * (LARGE + KIB));
});

test('an event that is longer than a piece comes alone', async () => {
  const { begin, store, open } = await stage();
  const ids = await store(3, { size: 700 * KIB });
  expect((await readAll(await open(begin), 3)).ids).toEqual(ids);
});

test('small events come by their number, and none is missing', async () => {
  const { begin, store, open } = await stage();
  const ids = await store(1_200, { size: 10, apartMs: 1 });
  expect((await readAll(await open(begin), ids.length)).ids).toEqual(ids);
});

test('five streams of an account read one at a time, and hold a piece each while their readers take nothing', async () => {
  const { begin, store, open, seen } = await stage();
  await store(100);
  const streams = await Promise.all(Array.from({ length: 5 }, () => open(begin)));
  Object.assign(seen, { largestPage: 0, mostListing: 0 });
  const first = await Promise.all(streams.map((stream) => stream.read(5_000)));
  expect(seen.mostListing).toBe(1);
  for (const events of first) expect(lengthOf(events ?? [])).toBeLessThanOrEqual(MAX_PIECE);
  expect(seen.largestPage).toBeLessThanOrEqual(4 * (LARGE + KIB));
  const { lists } = seen;
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(seen.lists).toBe(lists);
});

test('a stream that was closed while it waited for the others reads nothing', async () => {
  const { begin, store, open, seen } = await stage();
  await store(20);
  const [first, second] = [await open(begin), await open(begin)];
  const reads = [first.read(5_000), second.read(5_000)];
  second.close();
  expect((await reads[0])?.length).toBeGreaterThan(0);
  const { lists } = seen;
  expect(await reads[1]).toBeUndefined();
  expect(seen.lists).toBe(lists);
});

test('a burst of changes is fetched one after the other for the streams, and none is missing', async () => {
  const { store, open, seen } = await stage();
  const stream = await open();
  seen.mostGetting = 0;
  const ids = await store(40, { apartMs: 0, type: 'passport.updated' });
  const found = await readAll(stream, ids.length);
  expect([...found.ids].sort()).toEqual([...ids].sort());
  expect(seen.mostGetting).toBe(1);
});

test('what happens while a stream opens is not held beyond 1 MiB, and none of it is missing', async () => {
  const { store, open, seen } = await stage();
  const known = await store(1, { size: 10 });
  const { get } = seen.storage;
  let go = (): void => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  let isFirst = true;
  Object.assign(seen.storage, {
    async get(...asked: Parameters<StorageAdapter['get']>) {
      if (asked[0] === 'events' && isFirst) {
        isFirst = false;
        await held;
      }
      return get(...asked);
    },
  });
  const opening = open(known[0]);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isFirst).toBe(false);
  const ids = await store(20);
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  go();
  const missing = new Set(ids);
  const stream = await opening;
  while (missing.size > 0) for (const { id } of (await stream.read(5_000)) ?? []) missing.delete(id);
});
