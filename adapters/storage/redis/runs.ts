/**
 * The runs of servers on which a store was written to; see `RedisServer`. Only between two runs can an acknowledged
 * write be lost. So the store lists them, oldest first, each with the position that it began at. No node writes on a
 * run before that is in the list.
 */
import { defineGuarded, type Script } from './script.ts';

/** One run in the list. */
interface StoreRun {
  readonly name: string;
  /** The position of the store when the first node came. */
  readonly position: number;
}

/** More runs than happen in the life of a node. */
const MAX_RUNS = 100;

/** Gives back the list with the run ARGV[2] in it. A server that is full cannot note it, and takes no writes. */
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

/** Whether the store has all writes up to a position that it had on the run `last`, by the answer of `listRuns`. */
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
