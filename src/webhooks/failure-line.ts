/** Logs a series of failures as one line. */
import { describeCause, IdentityError } from '../errors.ts';
import type { LogEvent } from '../ports/storage.ts';
import type { Context } from '../service/shared/context.ts';

/** Logs a failure once until the work succeeds again. */
export interface FailureLine {
  /** Reports a failure. An outage of the storage is logged elsewhere. */
  report(error: unknown): void;
  over(): void;
}

/** Makes a failure line without a failure. */
export function createFailureLine(
  { log }: Context,
  { event, message }: Pick<LogEvent, 'event' | 'message'>,
): FailureLine {
  let isFailing = false;
  return {
    report(error) {
      const isOutage = error instanceof IdentityError && error.code === 'storage_unavailable';
      if (!isFailing && !isOutage) log({ level: 'error', event, message, cause: describeCause(error) });
      isFailing = true;
    },
    over() {
      isFailing = false;
    },
  };
}
