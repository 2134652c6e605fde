import type { Instant, PassportCountsPiece } from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { isRedisText, sortable } from './keys.ts';
import { countIndexes } from './record.ts';
import { defineGuarded } from './script.ts';

export async function countPassports(
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
