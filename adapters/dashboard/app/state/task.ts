import { useState } from 'preact/hooks';
import { type Failure, toFailure } from './api.ts';

/** Something a person starts: whether it runs, and why it failed. */
export interface Task {
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
  /** Runs it unless it runs already; true when it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /** The message at the field of this JSON Pointer, or below it. */
  errorAt(path: string): string | undefined;
}

/** The state of a form or a button. */
export function useTask(): Task {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  return {
    isRunning,
    failure,
    async run(work) {
      if (isRunning) return false;
      setRunning(true);
      setFailure(undefined);
      try {
        await work();
        return true;
      } catch (thrown) {
        setFailure(toFailure(thrown));
        return false;
      } finally {
        setRunning(false);
      }
    },
    errorAt(path) {
      const found = failure?.errors.filter(
        (error) => error.path === path || error.path.startsWith(`${path}/`),
      );
      return found?.length ? found.map(({ message }) => message).join(' ') : undefined;
    },
  };
}
