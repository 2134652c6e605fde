/** Limits how much work runs at the same time. A queue decides which work waits, and in which order. */

/** Work that waits for a permit to run. */
export interface SemaphoreWaiter {
  /** Starts the work. */
  begin(): void;
  /** Refuses the work, because it got no place in the queue or lost its place to other work. */
  refuse(): void;
}

/** The queue of a semaphore. */
export interface WaitingQueue<One> {
  /** Records that `member` runs without waiting. */
  start?(member: One): void;
  /** Adds `member` to the queue. Returns the waiter that loses its place: `member` itself, another waiter, or `undefined`. */
  join(member: One): One | undefined;
  /** Removes and returns the next waiter; `undefined` if the queue is empty. */
  next(): One | undefined;
  /** Forgets `member`, which waits or has finished. */
  leave(member: One): void;
}

/** A semaphore with a fixed number of permits. */
export interface Semaphore<One> {
  /** Takes a permit for `member` if a permit is free. Returns whether it took a permit. */
  tryEnter(member: One): boolean;
  /** Adds `member` to the queue until its `begin` or `refuse` is called. Returns `false` if `member` was refused at once. */
  wait(member: One): boolean;
  /** Removes `member` from the queue. */
  giveUp(member: One): void;
  /** Passes the permit of `member` to the next waiter, or frees the permit. */
  leave(member: One): void;
}

/** Creates a semaphore with this number of permits. `queue` contains the waiters. */
export function createSemaphore<One extends SemaphoreWaiter>(
  permits: number,
  queue: WaitingQueue<One>,
): Semaphore<One> {
  let running = 0;
  return {
    tryEnter(member) {
      if (running >= permits) return false;
      running += 1;
      queue.start?.(member);
      return true;
    },
    wait(member) {
      const entry = queue.join(member);
      entry?.refuse();
      return entry !== member;
    },
    giveUp: (member) => queue.leave(member),
    leave(member) {
      queue.leave(member);
      const next = queue.next();
      // INVARIANT: a permit is passed on or freed, never both.
      if (next === undefined) running -= 1;
      else next.begin();
    },
  };
}

/** Creates a queue in order of arrival, with at most `capacity` waiters. A waiter that has given up is skipped. */
export function arrivalQueue<One>(capacity: number, hasGivenUp: (member: One) => boolean): WaitingQueue<One> {
  const waiting = new Set<One>();
  return {
    join(member) {
      if (waiting.size >= capacity) return member;
      waiting.add(member);
      return undefined;
    },
    next() {
      for (const member of waiting) {
        waiting.delete(member);
        if (!hasGivenUp(member)) return member;
      }
      return undefined;
    },
    leave: (member) => {
      waiting.delete(member);
    },
  };
}
