/**
 * The runs of servers on which a store was written to; see `RedisServer`. An acknowledged write can be lost only
 * between two runs. The store therefore lists its runs, the oldest first, each with the position at which it began.
 * Each node adds a run to the list before it writes on it.
 */
import { defineGuarded, type Script } from './script.ts';

/** One run in the list. */
interface StoreRun {
  readonly name: string;
  /** The position of the store when the first node found this run. */
  readonly position: number;
}

/** The length of the list: more runs than the life of a node has. */
const MAX_RUNS = 100;

/**
 * Returns the list, and adds the run ARGV[2] if it is missing. A full server cannot store it, but takes no writes
 * either.
 */
export const listRuns: Script = defineGuarded(`
  local runs, list = prefix .. 'runs', nil
  list = redis.call('LRANGE', runs, 0, -1)
  for _, entry in ipairs(list) do
    if string.match(entry, '^%S*') == ARGV[2] then return list end
  end
  local added = ARGV[2] .. ' ' .. string.format('%.0f', position)
  list[#list + 1] = added
  redis.pcall('RPUSH', runs, added)
  if #list > ${MAX_RUNS} then redis.pcall('LTRIM', runs, -${MAX_RUNS}, -1) end
  return list`);

/**
 * Says whether the store has all writes up to the position that was reached on the run `last`; `answer` is that of
 * `listRuns`.
 */
export function hasAll(answer: unknown, last: string | undefined, position: number): boolean {
  if (position === 0) return true;
  const runs = (answer as readonly string[]).map(toRun);
  const at = runs.findIndex(({ name }) => name === last);
  const next = runs[at + 1];
  return at !== -1 && next !== undefined && next.position >= position;
}

function toRun(entry: string): StoreRun {
  const [name = '', position] = entry.split(' ');
  return { name, position: Number(position) };
}
