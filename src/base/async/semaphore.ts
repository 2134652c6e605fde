/** A limit on how much runs at a time. A queue decides which work waits, and in which order. */

/** A piece of work that waits to run. */
export interface SemaphoreWaiter {
  /** Lets it run. */
  begin(): void;
  /** Refuses it: it has no place in the queue, or has lost it to another. */
  refuse(): void;
}

/** The queue behind a semaphore. */
export interface WaitingQueue<One> {
  /** Records that `one` runs without having waited. */
  start?(one: One): void;
  /**
   * Adds `one` to the queue. Returns the waiter that has no place because of that: `one` itself, another, or
   * `undefined`.
   */
  join(one: One): One | undefined;
  /** Removes and returns the next waiter; `undefined` when the queue is empty. */
  next(): One | undefined;
  /** Forgets `one`, which waits or has run. */
  leave(one: One): void;
}

/** A semaphore: a fixed number of permits. */
export interface Semaphore<One> {
  /** Takes a permit for `one` if one is free; says whether it did. */
  tryEnter(one: One): boolean;
  /** Queues `one` until its `begin` or its `refuse` is called; `false` when it was refused at once. */
  wait(one: One): boolean;
  /** Removes `one` from the queue. */
  giveUp(one: One): void;
  /** Passes the permit of `one` to the next waiter, or frees it. */
  leave(one: One): void;
}

/** Makes a semaphore with this number of permits; `queue` holds the waiters. */
export function createSemaphore<One extends SemaphoreWaiter>(
  permits: number,
  queue: WaitingQueue<One>,
): Semaphore<One> {
  let running = 0;
  return {
    tryEnter(one) {
      if (running >= permits) return false;
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
      // INVARIANT: a permit is passed on or freed, never both.
      if (next === undefined) running -= 1;
      else next.begin();
    },
  };
}

/** Makes a queue in order of arrival of at most `capacity` waiters. A waiter that has given up is skipped. */
export function arrivalQueue<One>(capacity: number, hasGivenUp: (one: One) => boolean): WaitingQueue<One> {
  const waiting = new Set<One>();
  return {
    join(one) {
      if (waiting.size >= capacity) return one;
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
