import {
  collections,
  type Instant,
  type PassportCountsPiece,
  type StorageAdapter,
  type StorageEvents,
  type StorageHealth,
} from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { createRedisJournal } from './journal/redis-journal.ts';
import { counterKey, isRedisText, recordKey, sortable } from './keys.ts';
import { listRecords } from './list.ts';
import { purgeOld } from './purge.ts';
import { countIndexes, fromStored } from './record.ts';
import { readTime } from './retention.ts';
import { defineGuarded } from './script.ts';
import type { Subscription } from './subscription.ts';
import { writeChanges } from './write.ts';

export interface RedisStorageParts {
  readonly store: GuardedStore;
  readonly subscription: Subscription;
  readonly journalCap: number;
  /** The reason why this server may lose a stored verdict. */
  readonly strictRefusal?: string;
  readonly check: () => Promise<StorageHealth>;
  readonly observe: StorageEvents['observe'];
  /** Closes the connections. It is called exactly once. */
  readonly release: () => void;
}

const NOTHING = Promise.resolve(undefined);

export function createRedisStorage(parts: RedisStorageParts): StorageAdapter {
  const { store, subscription, release } = parts;
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function follow<Result>(call: () => Promise<Result>): Promise<Result> {
    if (closing !== undefined) throw new Error('The storage is closed.');
    const answer = call();
    running.add(answer);
    try {
      return await answer;
    } finally {
      running.delete(answer);
    }
  }

  return {
    name: 'redis',
    journal: createRedisJournal({ ...parts, follow }),
    get: (collection, id) =>
      follow(() =>
        isRedisText(id)
          ? store.read(
              recordKey(store.namespace, collection, id),
              fromStored,
              collections[collection].isConfirmed ? 'confirmed' : undefined,
            )
          : NOTHING,
      ),
    list: (collection, query) => follow(() => listRecords(store, collection, query)),
    write: (changes, signal) => follow(() => writeChanges(store, changes, signal)),
    count: (counter, instant) =>
      follow(async () => {
        if (!isRedisText(counter)) return 0;
        const foundTexts = await store.read(counterKey(store.namespace, counter), (text) => text.split(' '));
        const [value = '0', end = ''] = foundTexts ?? [];
        return end === '' || end > sortable(instant) ? Number(value) : 0;
      }),
    countPassports: (account_id, instant) => follow(() => countPassports(store, account_id, instant)),
    purge: (purgeable, cutoff, present = cutoff) =>
      follow(() => purgeOld(store, { what: purgeable, before: cutoff, present })),
    time: () => follow(() => readTime(store)),
    subscribe(listener) {
      if (closing !== undefined) throw new Error('The storage is closed.');
      return subscription.subscribe(listener);
    },
    observe: parts.observe,
    check: () => follow(parts.check),
    async close() {
      closing ??= Promise.allSettled(running).then(() => {
        subscription.close();
        release();
      });
      await closing;
    },
  };
}

async function countPassports(
  { run }: GuardedStore,
  account_id: string,
  instant: Instant,
): Promise<PassportCountsPiece> {
  if (!isRedisText(account_id)) return { active: 0, suspended: 0, revoked: 0, expired: 0, next: null };
  const { all, revoked, suspended, expiring, lapsing } = countIndexes(account_id);
  const args = [sortable(instant), all, revoked, suspended, expiring, lapsing];
  const counts = (await run((evaluate) => evaluate(count, args))) as [number, number, number, number, number];
  const [total, isRevoked, isSuspended, isExpired, hasLapsed] = counts;
  const expiredCount = isExpired + hasLapsed;
  return {
    active: total - isRevoked - isSuspended - expiredCount,
    suspended: isSuspended,
    revoked: isRevoked,
    expired: expiredCount,
    next: null,
  };
}

/**
 * The script that counts. Members of an index begin with an instant and a space. `!` follows the space in
 * ASCII, so `present` comes after every member of its instant.
 */
const count = defineGuarded(`
  local present = ARGV[2] .. '!'
  return {
    redis.call('ZCARD', prefix .. ARGV[3]),
    redis.call('ZCARD', prefix .. ARGV[4]),
    redis.call('ZLEXCOUNT', prefix .. ARGV[5], '(' .. present, '+'),
    redis.call('ZLEXCOUNT', prefix .. ARGV[6], '-', '(' .. present),
    redis.call('ZLEXCOUNT', prefix .. ARGV[7], '-', '(' .. present)
  }`);
