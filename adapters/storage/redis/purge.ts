import { type Instant, MAX_PURGE_SIZE, type Purgeable } from '../../../src/ports/index.ts';
import { HORIZON } from './horizon.ts';
import { FORGETTING } from './journal.ts';
import { sortable } from './keys.ts';
import type { MarkedStore } from './marked-store.ts';
import { defineGuarded, RECORDS } from './script.ts';

/** When the caller says that it is, by a clock that may be wrong. */
interface Purge {
  readonly what: Purgeable;
  readonly before: Instant;
  readonly present: Instant;
}

/** The number removed that are older than `before` and old by the clock of Redis, at most `MAX_PURGE_SIZE`; only those are looked at. */
export async function purgeOld({ run }: MarkedStore, { what, before, present }: Purge): Promise<number> {
  const script = what === 'verdicts' ? verdicts : what === 'rollups' ? rollups : expired;
  return run(async (evaluate) =>
    Number(await evaluate(script, [what, sortable(before), String(MAX_PURGE_SIZE), sortable(present)])),
  );
}

const expired = defineGuarded(`${HORIZON}${RECORDS}
  local ended = prefix .. 'expiry:' .. ARGV[2]
  local members = redis.call('ZRANGEBYLEX', ended, '-', '(' .. ARGV[3] .. ' ', 'LIMIT', 0, ARGV[4])
  for _, member in ipairs(members) do
    local id = string.sub(member, 17)
    if ARGV[2] == 'counters' then
      redis.call('ZREM', ended, member)
      redis.call('DEL', prefix .. 'counter:' .. id)
    else
      local key = prefix .. ARGV[2] .. ':' .. id
      local head = head_of(redis.call('GET', key))
      if head then unindex(id, head) end
      redis.call('DEL', key)
    end
  end
  return removed(#members)`);

const verdicts = defineGuarded(`${HORIZON}${FORGETTING}
  local left = tonumber(ARGV[4])
  while left > 0 do
    local account = redis.call('ZRANGEBYSCORE', accounts, '-inf', '(' .. ARGV[3], 'LIMIT', 0, 1)[1]
    if not account then break end
    local index = prefix .. 'verdicts:' .. account
    local entries = {}
    for i, member in ipairs(redis.call('ZRANGEBYLEX', index, '-', '(' .. ARGV[3] .. ' ', 'LIMIT', 0, left)) do
      local place = redis.call('HGET', ids, string.sub(member, 17))
      local entry = place and redis.call('XRANGE', stream, place, place)[1]
      if not entry then return redis.error_reply('LOSTRECORD a verdict that is listed is missing') end
      entries[i] = entry
    end
    forget(entries, false)
    if #entries == 0 then refresh_account(account) end
    left = left - #entries
  end
  return removed(tonumber(ARGV[4]) - left)`);

const rollups = defineGuarded(`${HORIZON}
  local left = tonumber(ARGV[4])
  while left > 0 do
    local series = redis.call('ZRANGEBYSCORE', prefix .. 'series', '-inf', '(' .. ARGV[3], 'LIMIT', 0, 1)[1]
    if not series then break end
    local starts = prefix .. 'starts:' .. series
    local start = redis.call('ZRANGE', starts, 0, 0)[1]
    if start then
      local key = prefix .. 'rollup:' .. series .. ':' .. start
      local fields = redis.call('HKEYS', key)
      for i = 1, math.min(#fields, left) do redis.call('HDEL', key, fields[i]) end
      if #fields <= left then redis.call('ZREM', starts, start) end
      left = left - math.min(#fields, left)
    end
    local first = redis.call('ZRANGE', starts, 0, 0, 'WITHSCORES')
    if first[1] then
      redis.call('ZADD', prefix .. 'series', first[2], series)
    else
      redis.call('ZREM', prefix .. 'series', series)
    end
  end
  return removed(tonumber(ARGV[4]) - left)`);
