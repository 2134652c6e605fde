import {
  type JournalBatch,
  type Resolution,
  type RollupDelta,
  rollupStarts,
} from '../../../src/ports/index.ts';
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
    toGroups(rollups),
  ];
  const answer = await run((evaluate) => evaluate(append, args));
  if (answer === 'unsafe') throw new RangeError('A count would leave the safe integers.');
}

/** What is added to the hashes of a day, an hour and a minute: to each field its sum. */
interface Group {
  readonly hashes: readonly (readonly [series: string, score: string, start: string])[];
  readonly sums: Map<string, number>;
}

/**
 * The deltas of the same hashes together, as JSON: as arguments of the script, each of which the client measures by
 * itself, they kept the event loop for two thirds longer.
 */
function toGroups(deltas: readonly RollupDelta[]): string {
  const groups: Group[] = [];
  let last: RollupDelta | undefined;
  let starts: ReturnType<typeof startsOf> = [];
  for (const delta of deltas) {
    if (last?.minute !== delta.minute) starts = startsOf(delta.minute);
    // Deltas of one agent come one after the other.
    if (last === undefined || !isTogether(last, delta)) {
      const hashes = starts.map(
        ([resolution, start, score]) => [seriesName({ ...delta, resolution }), score, start] as const,
      );
      groups.push({ hashes, sums: new Map() });
    }
    last = delta;
    const { sums } = groups.at(-1) as Group;
    const field = `${delta.kind}:${delta.key}`;
    const sum = (sums.get(field) ?? 0) + delta.count;
    if (!Number.isSafeInteger(sum)) throw new RangeError('A count would leave the safe integers.');
    sums.set(field, sum);
  }
  return JSON.stringify(groups.map(({ hashes, sums }) => [hashes, [...sums].flat()]));
}

function isTogether(one: RollupDelta, other: RollupDelta): boolean {
  return (
    one.agent_id === other.agent_id &&
    one.minute === other.minute &&
    one.account_id === other.account_id &&
    one.environment === other.environment
  );
}

/** Of the day, the hour and the minute. */
function startsOf(
  minute: string,
): readonly (readonly [resolution: Resolution, start: string, score: string])[] {
  const starts = Object.entries(rollupStarts(minute)) as [Resolution, string][];
  return starts.map(([resolution, start]) => [resolution, start, sortable(start)]);
}

/** More than its own number of entries are let go at a time only where the cap has been lowered. */
const append = defineGuarded(`${FORGETTING}
  local batches, now = prefix .. 'journal:batches', tonumber(ARGV[3])
  local known = redis.call('ZSCORE', batches, ARGV[2])
  if known and tonumber(known) > now then return 'known' end
  local cap, number = tonumber(ARGV[5]), tonumber(ARGV[6])

  local groups, added = cjson.decode(ARGV[7 + 2 * number]), 0

  -- Until one visit says that it is enough; whether one did.
  local function each_hash(visit)
    for _, group in ipairs(groups) do
      for _, hash in ipairs(group[1]) do
        local series, score, start = unpack(hash)
        if visit(prefix .. 'rollup:' .. series .. ':' .. start, group[2], series, score, start) then return true end
      end
    end
  end

  local is_unsafe = each_hash(function(key, counts, series, score, start)
    local is_new = true
    for i = 1, #counts, 2 do
      local sum = redis.call('HINCRBY', key, counts[i], counts[i + 1])
      added = added + 1
      if sum > ${MAX_SAFE} then return true end
      if sum > counts[i + 1] then is_new = false end
    end
    -- What has been counted before is known by its start.
    if is_new then
      redis.call('ZADD', prefix .. 'starts:' .. series, score, start)
      local oldest = redis.call('ZSCORE', prefix .. 'series', series)
      if not oldest or tonumber(oldest) > tonumber(score) then
        redis.call('ZADD', prefix .. 'series', score, series)
      end
    end
  end)
  if is_unsafe then
    each_hash(function(key, counts)
      for i = 1, #counts, 2 do
        if added == 0 then return true end
        added = added - 1
        if redis.call('HINCRBY', key, counts[i], -counts[i + 1]) == 0 then redis.call('HDEL', key, counts[i]) end
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
  advance()
  return 'appended'`);
