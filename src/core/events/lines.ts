/** Work that waits in queues, one queue for each name. */

/** The queues; a name without work uses no memory. */
export interface Lines {
  /** Runs the work once all earlier work of this name has ended, and returns its result. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** Makes empty queues. */
export function createLines(): Lines {
  const ends = new Map<string, Promise<unknown>>();
  return {
    run(name, work) {
      const result = (ends.get(name) ?? Promise.resolve()).then(work);
      const end = result.then(leave, leave);
      ends.set(name, end);
      function leave(): void {
        if (ends.get(name) === end) ends.delete(name);
      }
      return result;
    },
  };
}
