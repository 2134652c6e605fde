import type { StorageAdapter } from '../../../src/ports/index.ts';
import { openRedisStorage, type RedisStorageOptions } from './open.ts';

export type { StorageAdapter } from '../../../src/ports/index.ts';
export { examineRedis, type RedisExamination, type RedisTakeover } from './examine.ts';
export { type InspectedRedis, inspectRedis, type RedisInspection } from './inspect.ts';
export type { RedisMode } from './locate.ts';
export type {
  KeyvOverRedis,
  KeyvRedisStore,
  RedisSettings,
  RedisStorageOptions,
  RedisStoreOptions,
  RedisUrlOptions,
} from './open.ts';

/**
 * Opens the storage in a Redis server, in a cluster or behind Sentinels, under keys that begin with `{namespace}:`. It
 * needs the packages `keyv` and `@keyv/redis`.
 *
 * Every call is answered or rejects within `timeoutMs`. Every call rejects if the server has lost content, because it
 * was flushed, swapped, replaced by another database or by an older copy. No call goes to a replica. A server that has
 * become a replica answers for at most 250 ms. Verdict records are kept up to `journalCap`.
 *
 * @throws {IdentityError} `invalid_configuration` if the server cannot be used, or may lose writes while `durability`
 * is `required`.
 * @throws {IdentityError} `storage_unavailable` if the server does not answer or is read-only.
 */
export async function redisStorage(options: RedisStorageOptions): Promise<StorageAdapter> {
  return openRedisStorage(options);
}
