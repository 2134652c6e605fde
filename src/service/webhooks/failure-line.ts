/** One line in the log for a series of failures. */
import { describeCause, IdentityError } from '../../errors.ts';
import type { LogEvent } from '../../ports/storage.ts';
import type { Context } from '../shared/context.ts';

/** Says that something fails, once until it works again. */
export interface FailureLine {
  /** An outage of the storage is reported elsewhere. */
  report(error: unknown): void;
  over(): void;
}

/** No failure yet. */
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
