import { IdentityError } from '../../../src/index.ts';

/** `ok`: as it should be. `warn`: it works, and something is worth a look. `fail`: it does not, or will not. */
export type Status = 'ok' | 'warn' | 'fail';

/** The result of one check, with advice. */
export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly detail: string;
  /** Absent when there is nothing to do. */
  readonly action?: string;
}

export function worstOf(findings: readonly Finding[]): Status {
  const has = (wanted: Status) => findings.some(({ status }) => status === wanted);
  return has('fail') ? 'fail' : has('warn') ? 'warn' : 'ok';
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail };
}

/** Makes a finding that is worth a look. */
export function warn(check: string, detail: string, action: string): Finding {
  return { check, status: 'warn', detail, action };
}

/** Makes a finding that something is broken. */
export function fail(check: string, detail: string, action: string): Finding {
  return { check, status: 'fail', detail, action };
}

/** Returns the message of an error, without the user part of a URL in it. */
export function describeFailure(error: unknown): string {
  return textOf(error)
    .replaceAll(/\/\/[^/@\s]*@/g, '//***@')
    .replaceAll(/\s*\n\s*/g, ' ');
}

function textOf(error: unknown): string {
  if (error instanceof IdentityError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : 'It failed.';
}
