import {
  type BlockRewriting,
  type JournalMerge,
  type Resolution,
  type RollupDelta,
  rollupStarts,
} from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { sortable } from '../keys.ts';
import { defineGuarded, MAX_SAFE } from '../script.ts';
import { assertTexts, BLOCKS, FORGETTING, headOf, toName, toTexts, toValue } from './blocks.ts';
import { seriesNames } from './rollups.ts';
import { UNMERGED } from './writers.ts';

/**
 * Adds to the rollups and moves the `merged` number of the writer in one script. Returns `false` if this number is not
 * `from`.
 */
export async function mergeFlushes({ run }: GuardedStore, merge: JournalMerge): Promise<boolean> {
  const { writer, from, to, at, rollups } = merge;
  assertTexts(rollups.map(({ key }) => key));
  const args = [writer, String(from), String(to), sortable(at), toGroups(rollups)];
  const answer = await run((evaluate) => evaluate(add, args));
  if (answer === 'unsafe') throw new RangeError('A count would leave the safe integers.');
  return answer === 'merged';
}

interface Group {
  readonly hashes: readonly (readonly [series: string, score: string, start: string])[];
  readonly sums: Map<string, number>;
}

/**
 * Groups the deltas of the same hashes, as JSON. Separate arguments would block the event loop two thirds longer,
 * because the client measures the length of each.
 */
function toGroups(deltas: readonly RollupDelta[]): string {
  const groups: Group[] = [];
  let last: RollupDelta | undefined;
  let starts: ReturnType<typeof startsOf> = [];
  for (const delta of deltas) {
    if (last?.minute !== delta.minute) starts = startsOf(delta.minute);
    // The deltas of one agent follow each other.
    if (last === undefined || !isTogether(last, delta)) {
      const seriesOf = seriesNames(delta);
      const hashes = starts.map(
        ([resolution, start, score]) => [seriesOf(resolution), score, start] as const,
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

function isTogether(delta: RollupDelta, otherDelta: RollupDelta): boolean {
  return (
    delta.agent_id === otherDelta.agent_id &&
    delta.minute === otherDelta.minute &&
    delta.account_id === otherDelta.account_id &&
    delta.environment === otherDelta.environment
  );
}

function startsOf(
  minute: string,
): readonly (readonly [resolution: Resolution, start: string, score: string])[] {
  const starts = Object.entries(rollupStarts(minute)) as [Resolution, string][];
  return starts.map(([resolution, start]) => [resolution, start, sortable(start)]);
}

/** The number of hash fields that one command reads or writes, because Lua passes at most 8,000 values. */
const AT_ONCE = 1_000;

/**
 * A Lua function that adds the groups of `toGroups`. If a count would leave the safe integers, it adds nothing and
 * returns `false`. It checks all counts before it writes one, and handles many fields with each command. Lua's numbers
 * are doubles, so it can compute a sum exactly if the sum is safe, and recognise an unsafe sum.
 */
const ADD_GROUPS: string = `
  local function add_groups(json)
    local hashes, by_key = {}, {}
    for _, group in ipairs(cjson.decode(json)) do
      local counts = group[2]
      for _, names in ipairs(group[1]) do
        local series, score, start = unpack(names)
        local key = prefix .. 'rollup:' .. series .. ':' .. start
        local hash = by_key[key]
        if not hash then
          hash = { key = key, series = series, score = score, start = start, fields = {}, sums = {} }
          by_key[key] = hash
          hashes[#hashes + 1] = hash
        end
        local fields, sums = hash.fields, hash.sums
        for i = 1, #counts, 2 do
          local field = counts[i]
          if not sums[field] then
            sums[field] = 0
            fields[#fields + 1] = field
          end
          sums[field] = sums[field] + counts[i + 1]
        end
      end
    end

    for _, hash in ipairs(hashes) do
      local fields, sums = hash.fields, hash.sums
      for first = 1, #fields, ${AT_ONCE} do
        local last = math.min(first + ${AT_ONCE - 1}, #fields)
        for i, count in ipairs(redis.call('HMGET', hash.key, unpack(fields, first, last))) do
          local field = fields[first + i - 1]
          if count then
            sums[field] = sums[field] + tonumber(count)
            hash.is_known = true
          end
          if sums[field] > ${MAX_SAFE} then return false end
        end
      end
    end

    for _, hash in ipairs(hashes) do
      local fields, sums = hash.fields, hash.sums
      for first = 1, #fields, ${AT_ONCE} do
        local pairs = {}
        for i = first, math.min(first + ${AT_ONCE - 1}, #fields) do
          pairs[#pairs + 1] = fields[i]
          -- Redis spells a number with 17 digits.
          pairs[#pairs + 1] = sums[fields[i]]
        end
        redis.call('HSET', hash.key, unpack(pairs))
      end
      -- What has been counted before is known by its start.
      if not hash.is_known then
        redis.call('ZADD', prefix .. 'starts:' .. hash.series, hash.score, hash.start)
        local oldest = redis.call('ZSCORE', prefix .. 'series', hash.series)
        if not oldest or tonumber(oldest) > tonumber(hash.score) then
          redis.call('ZADD', prefix .. 'series', hash.score, hash.series)
        end
      end
    end
    redis.call('INCR', prefix .. 'rollups:changed')
    return true
  end`;

const add = defineGuarded(`${ADD_GROUPS}
  local writers, writer = prefix .. 'journal:writers', ARGV[2]
  local flushed, merged = string.match(redis.call('HGET', writers, writer) or '', '^(%d+) (%d+)')
  if not merged or tonumber(merged) ~= tonumber(ARGV[3]) then return 'moved' end
  if not add_groups(ARGV[6]) then return 'unsafe' end
  redis.call('HSET', writers, writer, flushed .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
  if tonumber(ARGV[4]) >= tonumber(flushed) then redis.call('ZREM', prefix .. '${UNMERGED}', writer) end
  advance()
  return 'merged'`);

export async function rewriteBlock(
  { run }: GuardedStore,
  { found, into, rollups }: BlockRewriting,
): Promise<boolean> {
  const name = toName(found);
  assertTexts([name, ...rollups.map(({ key }) => key)]);
  if (into !== undefined && toName(into) !== name) return false;
  const bytes = toValue(found);
  const args = [name, headOf(bytes), String(bytes.length), toGroups(rollups)];
  const next = into === undefined ? ['', ''] : [toValue(into), toTexts(into)];
  const allArgs = [...args, ...next, found.erased.toString(36)];
  const answer = await run((evaluate) => evaluate(rewrite, allArgs));
  if (answer === 'unsafe') throw new RangeError('A count would leave the safe integers.');
  return answer === 'rewritten';
}

const rewrite = defineGuarded(`${BLOCKS}${FORGETTING}${ADD_GROUPS}
  local name, value = ARGV[2], ARGV[6]
  local writer, seq = parse_name(name)
  if not is_merged(writer, seq) or head_at(name) ~= ARGV[3] then return 'other' end
  if redis.call('STRLEN', key_of(name)) ~= tonumber(ARGV[4]) then return 'other' end
  if erased_of(name) ~= ARGV[8] then return 'other' end
  if not add_groups(ARGV[5]) then return 'unsafe' end
  if value == '' then
    forget(name, ARGV[3])
  else
    local head = line_of(value)
    redis.call('SET', key_of(name), value)
    put_texts(name, ARGV[7])
    unindex(name, ARGV[3])
    index({ name }, { head })
    redis.call('INCRBY', prefix .. 'journal:records', records_of(head) - records_of(ARGV[3]))
  end
  advance()
  return 'rewritten'`);
