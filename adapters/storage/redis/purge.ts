import {
  type Instant,
  isExpiring,
  MAX_PURGE_SIZE,
  MAX_PURGED_BLOCKS,
  type Purgeable,
} from '../../../src/ports/index.ts';
import type { Evaluate } from './evaluate.ts';
import type { GuardedStore } from './guarded-store.ts';
import { BLOCKS, FORGETTING } from './journal/blocks.ts';
import { sortable } from './keys.ts';
import { PURGE_BOUND } from './retention.ts';
import { defineGuarded, RECORDS } from './script.ts';

const LOOKED_AT = 500;

/** A purge. `present` is the time of the caller's clock, which may be wrong. */
interface Purge {
  readonly what: Purgeable;
  readonly before: Instant;
  readonly present: Instant;
}

/**
 * Removes records that are older than `before`, also according to the clock of Redis. Returns the number of removed
 * records.
 */
export async function purgeOld({ run }: GuardedStore, { what, before, present }: Purge): Promise<number> {
  const args = [what, sortable(before), String(MAX_PURGE_SIZE), sortable(present)];
  if (what === 'verdicts') return run((evaluate) => purgeBlocks(evaluate, args));
  if (what === 'writers') return run((evaluate) => purgeWriters(evaluate, args));
  const script = what === 'rollups' ? rollups : expiredScript;
  if (what !== 'rollups' && what !== 'counters' && !isExpiring(what))
    throw new TypeError(`${what} cannot be purged.`);
  return run(async (evaluate) => Number(await evaluate(script, args)));
}

async function purgeBlocks(evaluate: Evaluate, args: readonly string[]): Promise<number> {
  let [removedCount, leftCount, begin] = [0, MAX_PURGED_BLOCKS, '-'];
  for (;;) {
    const answer = await evaluate(verdicts, [...args, begin, String(leftCount)]);
    const [records, blocks, next] = answer as readonly [number, number, string];
    removedCount += records;
    leftCount -= blocks;
    if (next === '') return removedCount;
    begin = `(${next}`;
  }
}

async function purgeWriters(evaluate: Evaluate, args: readonly string[]): Promise<number> {
  let [removedCount, cursor] = [0, '0'];
  do {
    const answer = await evaluate(writers, [...args, cursor]);
    const [number, next] = answer as readonly [number, string];
    removedCount += number;
    cursor = next;
  } while (cursor !== '0' && removedCount < MAX_PURGE_SIZE);
  return removedCount;
}

const expiredScript = defineGuarded(`${PURGE_BOUND}${RECORDS}
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

/**
 * Returns the number of removed writers and the place to continue from. A writer is removed only after all
 * its blocks are merged. Blocks without a writer record therefore count as merged.
 */
const writers = defineGuarded(`${PURGE_BOUND}
  local key, gone = prefix .. 'journal:writers', 0
  local page = redis.call('HSCAN', key, ARGV[6], 'COUNT', ${LOOKED_AT})
  local found = page[2]
  for i = 1, #found, 2 do
    local flushed, merged, seen = string.match(found[i + 1], '^(%d+) (%d+) (%d+)')
    if tonumber(merged) >= tonumber(flushed) and seen < ARGV[3] then gone = gone + redis.call('HDEL', key, found[i]) end
  end
  return { removed(gone), page[1] }`);

/**
 * Returns the number of removed records, the number of their blocks, and the place to continue from, or '' at the end.
 */
const verdicts = defineGuarded(`${PURGE_BOUND}${BLOCKS}${FORGETTING}
  local left = tonumber(ARGV[7])
  local members = redis.call('ZRANGEBYLEX', age, ARGV[6], '(' .. padded_ms(tonumber(ARGV[3])), 'LIMIT', 0, ${LOOKED_AT})
  local names, heads = {}, {}
  for _, member in ipairs(members) do
    local name = string.sub(member, 12)
    local writer, seq = parse_name(name)
    if #names < left and is_merged(writer, seq) then
      names[#names + 1] = name
      heads[#names] = head_at(name)
      if not heads[#names] then return lost() end
    end
  end
  local records = 0
  for i, name in ipairs(names) do records = records + math.max(forget(name, heads[i]), 1) end
  removed(records)
  if #names < left and #members == ${LOOKED_AT} then return { records, #names, members[#members] } end
  return { records, #names, '' }`);

const rollups = defineGuarded(`${PURGE_BOUND}
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
  left = tonumber(ARGV[4]) - left
  if left > 0 then redis.call('INCR', prefix .. 'rollups:changed') end
  return removed(left)`);
