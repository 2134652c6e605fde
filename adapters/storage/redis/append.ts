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

/** The counts of one hash. */
interface Group {
  /** Its series, and its start in milliseconds and as it is. */
  readonly name: readonly string[];
  readonly sums: Map<string, number>;
}

/** The deltas of each hash together: its name, and its fields with their sums. */
function toGroups(deltas: readonly RollupDelta[]): readonly string[] {
  const groups = new Map<string, Group>();
  let last: RollupDelta | undefined;
  let touched: readonly Group[] = [];
  for (const delta of deltas) {
    // Deltas of one agent come one after the other, and to spell its name takes longer than all else.
    if (last === undefined || !isTogether(last, delta)) touched = groupsOf(groups, delta);
    last = delta;
    const field = `${delta.kind}:${delta.key}`;
    for (const { sums } of touched) {
      const sum = (sums.get(field) ?? 0) + delta.count;
      if (!Number.isSafeInteger(sum)) throw new RangeError('A count would leave the safe integers.');
      sums.set(field, sum);
    }
  }
  const flat = [...groups.values()].flatMap(({ name, sums }) => [
    ...name,
    String(sums.size),
    ...[...sums].flatMap(([field, sum]) => [field, String(sum)]),
  ]);
  return [String(groups.size), ...flat];
}

function isTogether(one: RollupDelta, other: RollupDelta): boolean {
  return (
    one.agent_id === other.agent_id &&
    one.minute === other.minute &&
    one.account_id === other.account_id &&
    one.environment === other.environment
  );
}

/** The groups of the day, the hour and the minute of a delta. */
function groupsOf(groups: Map<string, Group>, delta: RollupDelta): readonly Group[] {
  return (Object.entries(rollupStarts(delta.minute)) as [Resolution, string][]).map(([resolution, start]) => {
    const series = seriesName({ ...delta, resolution });
    const id = `${series} ${start}`;
    const group = groups.get(id) ?? { name: [series, sortable(start), start], sums: new Map() };
    groups.set(id, group);
    return group;
  });
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

  local added = 0
  local is_unsafe = each_group(function(series, ms, start, first, last)
    local key = prefix .. 'rollup:' .. series .. ':' .. start
    local is_new = true
    for i = first, last, 2 do
      local sum = redis.call('HINCRBY', key, ARGV[i], ARGV[i + 1])
      added = added + 1
      if sum > ${MAX_SAFE} then return true end
      if sum > tonumber(ARGV[i + 1]) then is_new = false end
    end
    -- What has been counted before is known by its start.
    if is_new then
      redis.call('ZADD', prefix .. 'starts:' .. series, ms, start)
      local score = redis.call('ZSCORE', prefix .. 'series', series)
      if not score or tonumber(score) > tonumber(ms) then redis.call('ZADD', prefix .. 'series', ms, series) end
    end
  end)
  if is_unsafe then
    each_group(function(series, _, start, first, last)
      local key = prefix .. 'rollup:' .. series .. ':' .. start
      for i = first, last, 2 do
        if added == 0 then return true end
        added = added - 1
        if redis.call('HINCRBY', key, ARGV[i], -ARGV[i + 1]) == 0 then redis.call('HDEL', key, ARGV[i]) end
      end
    end)
    return 'unsafe'
  end

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

  local excess = redis.call('XLEN', stream) - cap
  if excess > 0 then
    forget(redis.call('XRANGE', stream, '-', '+', 'COUNT', math.min(excess, number + 1000)), true)
  end
  return 'appended'`);
