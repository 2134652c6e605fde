/**
 * The incarnations of servers on which a store was written to; see `RedisServer`. An acknowledged write can be lost
 * only between two incarnations. The store therefore lists its incarnations, the oldest first, each with the write
 * counter at which it began. Each node adds an incarnation to the list before it writes on it. A store that moves to
 * another server of a cluster and back is on an earlier incarnation again, which is then listed again.
 */
import { defineGuarded, type Script } from './script.ts';

/** One incarnation in the list. */
interface Incarnation {
  readonly name: string;
  /** The write counter of the store when the first node found this incarnation. */
  readonly writeCounter: number;
}

/** The length of the list: more incarnations than the life of a node has. */
const MAX_INCARNATIONS = 100;

/**
 * Returns the list, and adds the incarnation ARGV[2] unless it is the last one; an error of a server that stores nothing
 * is the answer. A node that works on an incarnation which the list lacks would refuse a good store later. The list is
 * shortened first, because a server that is full lets a script begin only with what frees memory.
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
 * Says whether the store has all writes up to the write counter that was reached on the incarnation `last`. `answer`
 * is the answer of `listIncarnations`.
 */
export function hasAll(answer: unknown, last: string | undefined, writeCounter: number): boolean {
  if (writeCounter === 0) return true;
  const incarnations = (answer as readonly string[]).map(toIncarnation);
  const at = incarnations.findLastIndex(({ name }) => name === last);
  const next = incarnations[at + 1];
  return at !== -1 && next !== undefined && next.writeCounter >= writeCounter;
}

function toIncarnation(entry: string): Incarnation {
  const [name = '', writeCounter] = entry.split(' ');
  return { name, writeCounter: Number(writeCounter) };
}
