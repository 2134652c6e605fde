/** The functions of the host that hear of verdicts and errors; whatever they do, they change neither. */
import { IdentityError } from '../../errors.ts';
import type { VerdictRecord } from '../../records.ts';
import type { IdentityServiceOptions } from '../options.ts';
import type { Context } from './context.ts';

/** Tells the host. Neither of them throws. */
export interface Hooks {
  /** After the verdict is formed, and with `strict` stored. */
  tell(record: VerdictRecord, latencyUs: number): void;
  /** A malformed intent is no error of the service. */
  fail(error: unknown): void;
}

/** A hook that always fails is named once in that time, not with every verdict. */
const QUIET_MS = 60_000;

/** The hooks of a service. */
export function createHooks(
  { log, clock }: Pick<Context, 'log' | 'clock'>,
  { onVerdict, onError }: Pick<IdentityServiceOptions, 'onVerdict' | 'onError'>,
): Hooks {
  let quietUntil = Number.NEGATIVE_INFINITY;

  function guard(name: string, call: () => unknown): void {
    try {
      const answer = call();
      // A rejection that nobody handles would end the process.
      if (answer instanceof Promise) answer.catch((error: unknown) => complain(name, error));
    } catch (error) {
      complain(name, error);
    }
  }

  function complain(name: string, error: unknown): void {
    const present = clock.now();
    if (present < quietUntil) return;
    quietUntil = present + QUIET_MS;
    const message = `${name} threw ${error instanceof Error ? error.name : 'something'}.`;
    log({ level: 'error', event: 'hook_failed', message });
  }

  return {
    tell(record, latencyUs) {
      if (onVerdict === undefined) return;
      // A copy: the record is on its way to the caller.
      const copy = { ...record, reasons: record.reasons.map((reason) => ({ ...reason })) };
      guard('onVerdict', () => onVerdict(copy, { latencyUs }));
    },
    fail(error) {
      if (onError === undefined) return;
      if (error instanceof IdentityError && error.code === 'invalid_request') return;
      guard('onError', () => onError(error));
    },
  };
}
