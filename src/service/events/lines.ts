/** Work that waits in a line, one line for each name. */

/** The lines; a name without work takes no room. */
export interface Lines {
  /** What the work gives, once all that was asked for under this name before has ended. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** No work yet. */
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
