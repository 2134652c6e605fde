import type { RollupKind, RollupQuery, RollupSum } from '../../../src/ports/index.ts';
import { isRedisText, joinNames, sortable } from './keys.ts';
import type { MarkedStore } from './marked-store.ts';
import { defineGuarded } from './script.ts';

/**
 * The rollups of one account, environment, resolution and agent. `starts:{series}` has their starts in order, and
 * a hash for each start its counts, by `kind:key`; `series` has every series by its oldest start.
 */
export function seriesName(
  of: Pick<RollupQuery, 'account_id' | 'environment' | 'resolution' | 'agent_id'>,
): string {
  return joinNames(of.account_id, of.environment, of.resolution, of.agent_id);
}

/** How many starts are summed up in one script. */
const AT_ONCE = 500;

/** Sums of rollups: only their hashes are read, whatever the number of verdicts. */
export async function sumRollups({ run }: MarkedStore, query: RollupQuery): Promise<readonly RollupSum[]> {
  if (![query.account_id, query.agent_id].every(isRedisText)) return [];
  const series = seriesName(query);
  const end = `(${Number(sortable(query.to))}`;
  const options = [query.byStart ? '1' : '0', String(AT_ONCE), ...query.kinds];
  return run(async (evaluate) => {
    const sums = new Map<string, number>();
    let begin = String(Number(sortable(query.from)));
    for (;;) {
      const answer = await evaluate(sumScript, [series, begin, end, ...options]);
      const [next, ...found] = answer as [string, ...string[]];
      for (let at = 0; at < found.length; at += 2) {
        const name = found[at] ?? '';
        sums.set(name, (sums.get(name) ?? 0) + Number(found[at + 1]));
      }
      if (next === '') return [...sums].map(([name, count]) => toSum(name, count));
      begin = `(${next}`;
    }
  });
}

/** The name is the start or nothing, a space, and the field of the hash. */
function toSum(name: string, count: number): RollupSum {
  const [, start = '', kind, key = ''] = /^(\S*) ([a-z]+):(.*)$/s.exec(name) ?? [];
  return { start: start === '' ? null : start, kind: kind as RollupKind, key, count };
}

/** Gives back where to go on, or '' when all is summed up, then names and sums. */
const sumScript = defineGuarded(`
  local by_start, at_once, wanted = ARGV[5] == '1', tonumber(ARGV[6]), {}
  for i = 7, #ARGV do wanted[ARGV[i]] = true end
  local starts = redis.call(
    'ZRANGEBYSCORE', prefix .. 'starts:' .. ARGV[2], ARGV[3], ARGV[4], 'WITHSCORES', 'LIMIT', 0, at_once
  )
  local sums, names = {}, {}
  for i = 1, #starts, 2 do
    local counts = redis.call('HGETALL', prefix .. 'rollup:' .. ARGV[2] .. ':' .. starts[i])
    for j = 1, #counts, 2 do
      if wanted[string.match(counts[j], '^[^:]*')] then
        local name = (by_start and starts[i] or '') .. ' ' .. counts[j]
        if not sums[name] then
          sums[name] = 0
          names[#names + 1] = name
        end
        sums[name] = sums[name] + tonumber(counts[j + 1])
      end
    end
  end
  local answer = { #starts == 2 * at_once and starts[#starts] or '' }
  for _, name in ipairs(names) do
    answer[#answer + 1] = name
    answer[#answer + 1] = string.format('%.0f', sums[name])
  end
  return answer`);
