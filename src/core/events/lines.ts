/** Runs work in queues, one queue for each name. */

/** Queues by name. A name without work uses no memory. */
export interface Lines {
  /** Runs the work after all earlier work of the same name has ended, and returns its result. */
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
