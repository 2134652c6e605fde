import type { Send } from './client.ts';
import type { RedisConnection } from './connection.ts';
import { replyCodeOf } from './errors.ts';
import { type Evaluate, evaluate, evaluateAs, type Form } from './evaluate.ts';
import { touch, waitFor } from './replicas.ts';
import { fewReplicas, type IncarnationCheck } from './role-watch.ts';
import { defineGuarded, LOST_IDENTITY, type Script, WENT_BACK } from './script.ts';
import { createSurePosition, type Outcome, type SurePosition } from './sure-position.ts';

/** Detects that a store has lost writes. `FENCING.md` explains the rules. */
export interface Guard extends IncarnationCheck {
  /** The highest write counter that the store must have reached, in the present incarnation or in earlier ones. */
  readonly sure: SurePosition;
  /**
   * Records the write counter in an answer. `previous` is the value of `sure` when the call was sent. Throws if
   * the write counter is lower than `previous`, because the store has then lost writes.
   */
  see(writeCounter: number, previous: number): void;
  /**
   * Says whether the write counter has ever gone back within an incarnation. This only happens with a restored copy,
   * which stays refused even if it catches up.
   */
  hasGoneBack(): boolean;
  evaluate(form: Form, send: Send, ...args: Parameters<Evaluate>): Promise<Outcome<unknown>>;
}

export interface GuardOptions {
  readonly connection: Pick<RedisConnection, 'send' | 'number' | 'replicas' | 'emit'>;
  readonly key: string;
  readonly identity: string;
}

/** The time in which replicas must confirm that an incarnation has begun. */
const ENTER_MS = 500;

export function createGuard({ connection, key, identity }: GuardOptions): Guard {
  const { replicas, emit } = connection;
  const sure = createSurePosition({
    replicas,
    wait: (ms) => waitFor(connection.send, replicas, ms),
    touch: async () => ({ ...(await evaluateGuarded('EVAL', connection.send, touch, [])), hasWritten: true }),
    atTurnEnd: setImmediate,
    connection: connection.number,
    onUnconfirmed: (reachedCount) => emit({ type: 'unconfirmed', reached: reachedCount, needed: replicas }),
  });
  let current: string | undefined;
  let isBehind = false;

  function see(writeCounter: number, previous: number): void {
    if (writeCounter < previous) isBehind = true;
    if (isBehind) throw wentBack();
    sure.note(writeCounter);
  }

  async function evaluateGuarded(
    form: Form,
    send: Send,
    ...[script, args, texts]: Parameters<Evaluate>
  ): Promise<Outcome<unknown>> {
    const valueBefore = sure.value;
    try {
      const givenArgs = [key, `${identity} ${valueBefore}`, ...args];
      const result = (await evaluateAs(form, send, script, givenArgs, texts)) as [number, number, unknown];
      const [position, movedCount, answer] = result;
      see(Number(position), valueBefore);
      return { position: Number(position), hasWritten: Number(movedCount) === 1, answer };
    } catch (error) {
      const code = replyCodeOf(error);
      if (code !== WENT_BACK) throw code === LOST_IDENTITY ? lostIdentity() : error;
      isBehind = true;
      throw wentBack();
    }
  }

  /** Waits until enough replicas have everything that was written, including the list of incarnations. */
  async function touchNow(send: Send): Promise<void> {
    const connectionNumber = connection.number();
    await evaluate(send, touch, [key, `${identity} 0`]);
    const reachedWait = await waitFor(send, replicas, ENTER_MS);
    if (reachedWait < replicas) throw fewReplicas(reachedWait, replicas);
    // `WAIT` speaks of the writes of its own connection.
    if (connection.number() !== connectionNumber) throw new Error('The connection to Redis was replaced.');
  }

  return {
    sure,
    see,
    hasGoneBack: () => isBehind,
    evaluate: evaluateGuarded,
    async enter(incarnation, send) {
      const writeCounter = sure.value;
      // The write counter is not compared here: `hasAll` decides for this incarnation, which must not refuse another one.
      const answer = await evaluate(send, listIncarnations, [key, `${identity} 0`, incarnation]).catch(
        (error: unknown) => {
          throw replyCodeOf(error) === LOST_IDENTITY ? lostIdentity() : error;
        },
      );
      // A look on another connection may have entered it in the meantime.
      if (incarnation === current) return;
      if (!hasAll((answer as readonly unknown[])[2], current, writeCounter)) throw wentBack();
      // A node that works on an incarnation which the list loses would refuse a good store.
      if (replicas > 0) await touchNow(send);
      current = incarnation;
    },
    incarnation: () => current,
  };
}

export function wentBack(): Error {
  return new Error('Redis is older than this node has seen it: an acknowledged write is lost.');
}

export function lostIdentity(): Error {
  return new Error(
    'Redis has lost what this storage keeps: it was flushed, or is another database or server. Restore it.',
  );
}

// Lists the incarnations of the servers on which a store was written. An incarnation is a period in which one
// process accepts writes, as described at `RedisServer`. An acknowledged write can be lost only between two
// incarnations. The list begins with the oldest incarnation. Each entry has the write counter at the
// beginning of the incarnation. Each node adds an incarnation to the list before it writes on this
// incarnation. If a store moves to another server of a cluster and back, the earlier incarnation is listed
// again.

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
const listIncarnations: Script = defineGuarded(`
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
