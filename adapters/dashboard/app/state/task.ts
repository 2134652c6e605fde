import { useRef, useState } from 'preact/hooks';
import type { FieldError } from '../../../../src/types.ts';
import { type Failure, toFailure } from './api.ts';

/** Something a person starts: whether it runs, and why it failed. */
export interface Task {
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
  /** Runs it unless it runs already; true when it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /** The message at the field of this JSON Pointer, or below it. */
  errorAt(path: string): string | undefined;
  /** Whether `errorAt` has given all that is wrong to its fields. */
  isAtFields(): boolean;
}

/** The state of a form or a button. */
export function useTask(): Task {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const given = useRef(new WeakSet<FieldError>()).current;
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
      if (!found?.length) return undefined;
      for (const error of found) given.add(error);
      return found.map(({ message }) => message).join(' ');
    },
    isAtFields: () =>
      failure !== undefined && failure.errors.length > 0 && failure.errors.every((error) => given.has(error)),
  };
}
