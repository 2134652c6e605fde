/**
 * Lists the incarnations of the servers on which a store was written. An incarnation is a period in which one process
 * accepts writes, as described at `RedisServer`. An acknowledged write can be lost only between two incarnations. The
 * list begins with the oldest incarnation. Each entry has the write counter at the beginning of the incarnation. Each
 * node adds an incarnation to the list before it writes on this incarnation. If a store moves to another server of a
 * cluster and back, the earlier incarnation is listed again.
 */
import { defineGuarded, type Script } from './script.ts';

interface Incarnation {
  readonly name: string;
  /** The write counter of the store when a node first found this incarnation. */
  readonly writeCounter: number;
}

/** The length of the list. It exceeds the number of incarnations in the lifetime of a node. */
const MAX_INCARNATIONS = 100;

/**
 * Returns the list, and adds the incarnation ARGV[2] unless it is already the last. If the server cannot store the
 * list, the script fails. Otherwise the node would work on an unlisted incarnation, and later refuse a correct store.
 * The list is shortened first, because a full server only lets a script begin with a command that frees memory.
 */
export const listIncarnations: Script = defineGuarded(`
  local incarnations, list = prefix .. 'runs', nil
  list = redis.call('LRANGE', incarnations, 0, -1)
  if #list > 0 and string.match(list[#list], '^%S*') == ARGV[2] then return list end
  local added = ARGV[2] .. ' ' .. string.format('%.0f', write_counter)
  redis.call('LTRIM', incarnations, -${MAX_INCARNATIONS - 1}, -1)
  redis.call('RPUSH', incarnations, added)
  list[#list + 1] = added
  return list`);

/**
 * Says whether the store has all writes up to a write counter that was reached on the incarnation `last`. `answer` is
 * the result of `listIncarnations`.
 */
export function hasAll(answer: unknown, last: string | undefined, writeCounter: number): boolean {
  if (writeCounter === 0) return true;
  const incarnations = (answer as readonly string[]).map(toIncarnation);
  const lastIndex = incarnations.findLastIndex(({ name }) => name === last);
  const next = incarnations[lastIndex + 1];
  return lastIndex !== -1 && next !== undefined && next.writeCounter >= writeCounter;
}

function toIncarnation(entry: string): Incarnation {
  const [name = '', writeCounter] = entry.split(' ');
  return { name, writeCounter: Number(writeCounter) };
}
