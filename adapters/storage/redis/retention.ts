import type { Instant, StoreTime } from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { isRedisText } from './keys.ts';
import { defineGuarded } from './script.ts';

const READ_CLOCK = `
  local clock = redis.call('TIME')
  local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)`;

/**
 * Lua that begins a purge of the kind ARGV[2], for records older than ARGV[3]. ARGV[5] is the time of the caller's
 * clock. If this clock is ahead of the clock of Redis, ARGV[3] moves back by the difference, to a whole minute. The
 * script ends with `return removed(number)`, which stores the instant up to which verdicts and rollups were removed.
 */
export const PURGE_BOUND: string = `${READ_CLOCK}
  local bound = tonumber(ARGV[3])
  local ahead = math.max(tonumber(ARGV[5]), bound) - now
  if ahead > 0 then
    bound = math.max(bound - ahead, 0)
    ARGV[3] = string.format('%015.0f', bound - bound % 60000)
  end

  local function removed(number)
    if number > 0 and (ARGV[2] == 'verdicts' or ARGV[2] == 'rollups') then
      local known = redis.call('HGET', prefix .. 'removed', ARGV[2])
      if not known or known < ARGV[3] then redis.call('HSET', prefix .. 'removed', ARGV[2], ARGV[3]) end
    end
    return number
  end`;

export async function readTime({ run }: GuardedStore): Promise<StoreTime> {
  const ms = await run((evaluate) => evaluate(readClock, []));
  return { at: new Date(Number(ms)).toISOString(), isMark: false };
}

/**
 * Returns the instant since which the account has all its records. It is the end of the last purge of verdicts or
 * rollups by any process, or of the last block that the cap has removed. Returns `undefined` if nothing was removed.
 */
export async function readCompleteSince(
  { run }: GuardedStore,
  account_id: string,
): Promise<Instant | undefined> {
  const account = isRedisText(account_id) ? account_id : '';
  const [goneText, ...removedTexts] = (await run((evaluate) =>
    evaluate(readRemoved, [account]),
  )) as readonly string[];
  const sinceMs = Math.max(goneText === '' ? 0 : Number(goneText) + 1, ...removedTexts.map(Number));
  return sinceMs === 0 ? undefined : new Date(sinceMs).toISOString();
}

const readClock = defineGuarded(`${READ_CLOCK}
  return string.format('%.0f', now)`);

const readRemoved = defineGuarded(`
  local gone = redis.call('HGET', prefix .. 'journal:gone', ARGV[2]) or ''
  return { gone, unpack(redis.call('HVALS', prefix .. 'removed')) }`);
