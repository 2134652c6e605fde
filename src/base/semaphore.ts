/** A bound on how much runs at a time. Who waits behind it, and in which order, is up to a queue. */

/** A piece of work that wants to run. */
export interface SemaphoreWaiter {
  /** Its turn has come. */
  begin(): void;
  /** It has no place in the queue, or has lost it to another. */
  refuse(): void;
}

/** The waiters behind a semaphore. */
export interface WaitingQueue<One> {
  /** Notes that `one` runs without having waited. */
  start?(one: One): void;
  /** Lets `one` wait. The waiter that has no place because of that: `one` itself, another, or `undefined`. */
  join(one: One): One | undefined;
  /** Takes out the waiter whose turn it is; `undefined` when the queue is empty. */
  next(): One | undefined;
  /** Forgets `one`, which waits or has run. */
  leave(one: One): void;
}

/** Hands out a fixed number of places. */
export interface Semaphore<One> {
  /** Whether `one` has a place at once. */
  tryEnter(one: One): boolean;
  /** Lets `one` wait until its `begin` or its `refuse` is called; `false` when it was refused at once. */
  wait(one: One): boolean;
  /** Takes `one` out of the queue. */
  giveUp(one: One): void;
  /** Hands the place of `one` on. */
  leave(one: One): void;
}

/** A semaphore of `places`; `queue` holds those that wait. */
export function createSemaphore<One extends SemaphoreWaiter>(
  places: number,
  queue: WaitingQueue<One>,
): Semaphore<One> {
  let running = 0;
  return {
    tryEnter(one) {
      if (running >= places) return false;
      running += 1;
      queue.start?.(one);
      return true;
    },
    wait(one) {
      const refused = queue.join(one);
      refused?.refuse();
      return refused !== one;
    },
    giveUp: (one) => queue.leave(one),
    leave(one) {
      queue.leave(one);
      const next = queue.next();
      // INVARIANT: a place is handed on or given back, never both.
      if (next === undefined) running -= 1;
      else next.begin();
    },
  };
}

/** First come, first served; at most `places` wait. Those that have given up by then are passed over. */
export function arrivalQueue<One>(places: number, hasGivenUp: (one: One) => boolean): WaitingQueue<One> {
  const waiting = new Set<One>();
  return {
    join(one) {
      if (waiting.size >= places) return one;
      waiting.add(one);
      return undefined;
    },
    next() {
      for (const one of waiting) {
        waiting.delete(one);
        if (!hasGivenUp(one)) return one;
      }
      return undefined;
    },
    leave: (one) => {
      waiting.delete(one);
    },
  };
}
