import { useRef, useState } from 'preact/hooks';
import type { FieldError } from '../../../../src/types.ts';
import { type Failure, toFailure } from './api.ts';

export interface Task {
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
  /** Runs the action, unless it is already running. Resolves to `true` if it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /** Returns the error message for the field at this JSON Pointer, or for a part of the field. */
  errorAt(path: string): string | undefined;
  /** Says whether `errorAt` has returned every error. Each error is then shown at a field. */
  isAtFields(): boolean;
}

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
