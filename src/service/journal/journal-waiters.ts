/** Waiting for records to be stored: they are filed, and leave the journal, in one order. */

/** Waits for a record to be stored. */
export interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The waiters, by the number of their record; there are some only with `journal: "strict"`. */
export interface JournalWaiters {
  /** How many records were filed, and how many of them have left the journal. */
  readonly filed: number;
  readonly done: number;
  /** Settles when the next record to be filed is stored, or cannot be. */
  wait(): Promise<void>;
  /** A record was filed. */
  count(): void;
  /** The same as `wait` for a record in the place of one that was filed `back` records ago; that one is rejected. */
  replace(back: number, error: unknown): Promise<void>;
  /** The first `count` records have left the journal: each waiter for one of them is told. */
  settleFirst(count: number, tell: (waiter: Waiter) => void): void;
}

/** No record was filed, and there are no waiters. */
export function createJournalWaiters(): JournalWaiters {
  const waiters = new Map<number, Waiter>();
  let filed = 0;
  let done = 0;

  function waitFor(number: number): Promise<void> {
    return new Promise((resolve, reject) => waiters.set(number, { resolve, reject }));
  }

  return {
    get filed() {
      return filed;
    },
    get done() {
      return done;
    },
    wait: () => waitFor(filed),
    count() {
      filed += 1;
    },
    replace(back, error) {
      waiters.get(filed - back)?.reject(error);
      return waitFor(filed - back);
    },
    settleFirst(count, tell) {
      for (const end = done + count; done < end; done += 1) {
        const waiter = waiters.get(done);
        waiters.delete(done);
        if (waiter !== undefined) tell(waiter);
      }
    },
  };
}
