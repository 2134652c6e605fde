import { type JournalBatch, type Resolution, type RollupDelta, rollupStarts } from '../../../src/index.ts';
import { FORGETTING, journalHead } from './journal.ts';
import { isRedisText, sortable } from './keys.ts';
import type { MarkedStore } from './marked-store.ts';
import { seriesName } from './rollups.ts';
import { defineGuarded, MAX_SAFE } from './script.ts';

/** How long the id of a batch is known. */
const BATCH_LIFETIME_MS = 3_600_000;

/** Stores a batch in one script, once. Of the journal the newest `cap` entries are kept, by the order of their coming. */
export async function appendBatch({ run }: MarkedStore, batch: JournalBatch, cap: number): Promise<void> {
  const { id, at, entries, rollups } = batch;
  if (![id, ...entries.map((entry) => entry.id), ...rollups.map(({ key }) => key)].every(isRedisText)) {
    throw new TypeError('An id or a key holds a lone surrogate.');
  }
  const end = String(Date.parse(at) + BATCH_LIFETIME_MS);
  const args = [
    ...[id, sortable(at), end, String(cap)],
    ...[String(entries.length), ...entries.flatMap((entry) => [journalHead(entry), JSON.stringify(entry)])],
    ...toGroups(rollups),
  ];
  const answer = await run((evaluate) => evaluate(append, args));
  if (answer === 'unsafe') throw new RangeError('A count would leave the safe integers.');
}

/** The deltas of each hash together: series, start in milliseconds and as it is, and fields with their sums. */
function toGroups(deltas: readonly RollupDelta[]): readonly string[] {
  const groups = new Map<string, { readonly name: readonly string[]; readonly sums: Map<string, number> }>();
  for (const delta of deltas) {
    for (const [resolution, start] of Object.entries(rollupStarts(delta.minute)) as [Resolution, string][]) {
      const name = [seriesName({ ...delta, resolution }), sortable(start), start];
      const group = groups.get(name.join(' ')) ?? { name, sums: new Map<string, number>() };
      groups.set(name.join(' '), group);
      const field = `${delta.kind}:${delta.key}`;
      const sum = (group.sums.get(field) ?? 0) + delta.count;
      if (!Number.isSafeInteger(sum)) throw new RangeError('A count would leave the safe integers.');
      group.sums.set(field, sum);
    }
  }
  const flat = [...groups.values()].flatMap(({ name, sums }) => [
    ...name,
    String(sums.size),
    ...[...sums].flatMap(([field, sum]) => [field, String(sum)]),
  ]);
  return [String(groups.size), ...flat];
}

/** More than its own number of entries are let go at a time only where the cap has been lowered. */
const append = defineGuarded(`${FORGETTING}
  local batches, now = prefix .. 'journal:batches', tonumber(ARGV[3])
  local known = redis.call('ZSCORE', batches, ARGV[2])
  if known and tonumber(known) > now then return 'known' end
  local cap, number = tonumber(ARGV[5]), tonumber(ARGV[6])

  local function each_group(visit)
    local at = 7 + 2 * number
    local place = at + 1
    for _ = 1, tonumber(ARGV[at]) do
      local last = place + 3 + 2 * tonumber(ARGV[place + 3])
      if visit(ARGV[place], ARGV[place + 1], ARGV[place + 2], place + 4, last) then return true end
      place = last + 1
    end
  end

  local is_unsafe = each_group(function(series, _, start, first, last)
    local key = prefix .. 'rollup:' .. series .. ':' .. start
    for i = first, last, 2 do
      if tonumber(redis.call('HGET', key, ARGV[i]) or 0) + tonumber(ARGV[i + 1]) > ${MAX_SAFE} then return true end
    end
  end)
  if is_unsafe then return 'unsafe' end

  redis.call('ZADD', batches, ARGV[4], ARGV[2])
  local old = redis.call('ZRANGEBYSCORE', batches, '-inf', now, 'LIMIT', 0, 100)
  if #old > 0 then redis.call('ZREM', batches, unpack(old)) end

  local oldest = {}
  for i = 7, 5 + 2 * number, 2 do
    local head = cjson.decode(ARGV[i])
    local id, account, at = head[1], head[2], head[3]
    if redis.call('HEXISTS', ids, id) == 0 then
      redis.call('HSET', ids, id, redis.call('XADD', stream, '*', 'head', ARGV[i], 'entry', ARGV[i + 1]))
      for j = 4, #head do redis.call('ZADD', prefix .. head[j], 0, at .. ' ' .. id) end
      if not oldest[account] or at < oldest[account] then oldest[account] = at end
    end
  end
  for account, at in pairs(oldest) do
    local score = redis.call('ZSCORE', accounts, account)
    if not score or tonumber(score) > tonumber(at) then redis.call('ZADD', accounts, at, account) end
  end

  each_group(function(series, ms, start, first, last)
    local key = prefix .. 'rollup:' .. series .. ':' .. start
    for i = first, last, 2 do redis.call('HINCRBY', key, ARGV[i], ARGV[i + 1]) end
    redis.call('ZADD', prefix .. 'starts:' .. series, ms, start)
    local score = redis.call('ZSCORE', prefix .. 'series', series)
    if not score or tonumber(score) > tonumber(ms) then redis.call('ZADD', prefix .. 'series', ms, series) end
  end)

  local excess = redis.call('XLEN', stream) - cap
  if excess > 0 then
    forget(redis.call('XRANGE', stream, '-', '+', 'COUNT', math.min(excess, number + 1000)), true)
  end
  return 'appended'`);
