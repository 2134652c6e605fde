import { createSemaphore, type SemaphoreWaiter, type WaitingQueue } from '../base/async/semaphore.ts';
import { IdentityError } from '../errors.ts';
import type { After } from '../ports/host.ts';

/** A caller that waits for its turn, and the data that decides its position. */
export interface Visitor {
  /** The networks of its address, from the largest to the smallest. */
  readonly networks: readonly string[];
  /** `true` if logins with its e-mail have failed recently. */
  readonly hasFailed: boolean;
}

/**
 * The maximum number of visitors without failures that may pass a waiting visitor with failures, so that its wait is
 * not endless.
 */
const MAX_IN_A_ROW = 3;

/**
 * Creates a queue in which networks take turns.
 *
 * - Visitors without failures come before visitors with failures.
 * - Among the largest networks, the next turn goes to the network that had its last turn the longest ago. Inside that
 * network, the same rule applies to its smaller networks. In the smallest network, the first visitor to arrive is next.
 * - Many addresses of one network therefore delay a visitor of another network by one turn only.
 * - If the queue is full, a new visitor replaces the latest visitor of the network that has the most visitors. A
 * visitor of that same network may replace only a visitor with failures.
 *
 * Every method takes time proportional to the number of visitors, which is small.
 */
export function fairQueue<One extends Visitor>(capacity: number): Required<WaitingQueue<One>> {
  const waiting: One[] = [];
  const active = new Set<One>();
  const lastTurns = new Map<string, number>();
  let turn = 0;
  let inARow = 0;

  function start(entry: One): void {
    turn += 1;
    active.add(entry);
    for (const network of entry.networks) lastTurns.set(network, turn);
  }

  function leave(entry: One): void {
    active.delete(entry);
    const index = waiting.indexOf(entry);
    if (index >= 0) waiting.splice(index, 1);
    const presentEntries = [...waiting, ...active];
    for (const network of entry.networks) {
      if (!presentEntries.some(({ networks }) => networks.includes(network))) lastTurns.delete(network);
    }
  }

  function compare(entry: One, otherEntry: One): number {
    for (const [level, network] of entry.networks.entries()) {
      const theirNetwork = otherEntry.networks[level];
      if (theirNetwork === undefined) return 0;
      const difference = (lastTurns.get(network) ?? 0) - (lastTurns.get(theirNetwork) ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  return {
    start,
    leave,

    join(entry) {
      const pushedOut = waiting.length < capacity ? undefined : (findPushedOut(waiting, entry) ?? entry);
      if (pushedOut === entry) return entry;
      if (pushedOut !== undefined) leave(pushedOut);
      waiting.push(entry);
      for (const network of entry.networks) {
        // Before the network that has its turn now, and after those that waited already: their turns are longer ago.
        if (!lastTurns.has(network)) lastTurns.set(network, turn - 0.5);
      }
      return pushedOut;
    },

    next() {
      const first = waiting.filter(({ hasFailed }) => !hasFailed);
      const later = waiting.filter(({ hasFailed }) => hasFailed);
      const isLater = later.length > 0 && (first.length === 0 || inARow >= MAX_IN_A_ROW);
      inARow = isLater || later.length === 0 ? 0 : inARow + 1;
      const [entry, ...otherEntries] = isLater ? later : first;
      if (entry === undefined) return undefined;
      const next = otherEntries.reduce(
        (best, otherEntry) => (compare(otherEntry, best) < 0 ? otherEntry : best),
        entry,
      );
      waiting.splice(waiting.indexOf(next), 1);
      start(next);
      return next;
    },
  };
}

/**
 * Returns the visitor that `newcomer` replaces. Returns `undefined` if `newcomer` cannot enter the queue. The network
 * of the replaced visitor must have at least two more waiting visitors than the network of `newcomer`. Otherwise two
 * networks would replace each other in turn. One more visitor is enough if the replaced visitor has failures and
 * `newcomer` has none.
 */
function findPushedOut<One extends Visitor>(waiting: readonly One[], newcomer: One): One | undefined {
  if (waiting.length === 0) return undefined;
  let candidates = waiting;
  let isOwn = true;
  for (const [level, network] of newcomer.networks.entries()) {
    const counts = countBy(candidates, level);
    const ownCount = counts.get(network) ?? 0;
    const [largest, maximum] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
    if (isOwn && ownCount < maximum && ownCount >= maximum - 1) {
      if (newcomer.hasFailed) return undefined;
      return candidates.findLast(
        (otherCandidate) =>
          otherCandidate.hasFailed && (counts.get(otherCandidate.networks[level]) ?? 0) > ownCount,
      );
    }
    isOwn &&= ownCount === maximum;
    const chosenNetwork = isOwn ? network : largest;
    candidates = candidates.filter(({ networks }) => networks[level] === chosenNetwork);
  }
  const failedCandidate = candidates.findLast(({ hasFailed }) => hasFailed);
  if (isOwn) return newcomer.hasFailed ? undefined : failedCandidate;
  return failedCandidate ?? candidates.at(-1);
}

function countBy(visitors: readonly Visitor[], level: number): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (const { networks } of visitors) {
    const network = networks[level];
    counts.set(network, (counts.get(network) ?? 0) + 1);
  }
  return counts;
}

/** The limits of a fair semaphore. */
export interface FairSemaphoreOptions {
  /** The maximum number of tasks that run at the same time. */
  readonly concurrency: number;
  /** The maximum number of tasks that wait; default 64. */
  readonly queue?: number;
  /** The maximum wait in milliseconds; default 10,000. */
  readonly queueTimeoutMs?: number;
  readonly after: After;
}

/** Runs the task when it is the turn of its visitor. */
type RunInTurn = <Result>(visitor: Visitor, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a semaphore that runs a few tasks at the same time, in the order of `fairQueue`. Rejects with `overloaded`
 * before the task starts if the queue is full or the wait is too long.
 */
export function createFairSemaphore({
  concurrency,
  queue: capacity = 64,
  queueTimeoutMs = 10_000,
  after,
}: FairSemaphoreOptions): RunInTurn {
  const semaphore = createSemaphore(concurrency, fairQueue<WaitingVisitor>(capacity));

  function turn({ networks, hasFailed }: Visitor): Promise<WaitingVisitor> {
    return new Promise((resolve, reject) => {
      let cancelTimer = (): void => {};
      const visitor: WaitingVisitor = {
        networks,
        hasFailed,
        begin() {
          cancelTimer();
          resolve(visitor);
        },
        refuse() {
          cancelTimer();
          reject(overloaded(queueTimeoutMs));
        },
      };
      if (semaphore.tryEnter(visitor)) resolve(visitor);
      else if (semaphore.wait(visitor)) {
        cancelTimer = after(queueTimeoutMs, () => {
          semaphore.giveUp(visitor);
          visitor.refuse();
        });
      }
    });
  }

  return async (visitor, work) => {
    const nextVisitor = await turn(visitor);
    try {
      return await work();
    } finally {
      semaphore.leave(nextVisitor);
    }
  };
}

interface WaitingVisitor extends Visitor, SemaphoreWaiter {}

function overloaded(queueTimeoutMs: number): IdentityError {
  return new IdentityError('overloaded', 'Too many passwords are being checked: try again later.', {
    details: { retryAfterSeconds: Math.max(1, Math.ceil(queueTimeoutMs / 1_000)) },
  });
}
