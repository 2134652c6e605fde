import { IdentityError } from '../../../src/index.ts';

/**
 * The status of a finding. `warn` means that the part works but should be checked. `fail` means that the part does not
 * work or will fail later.
 */
export type Status = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly detail: string;
  readonly action?: string;
}

export function worstOf(findings: readonly Finding[]): Status {
  const has = (wantedStatus: Status) => findings.some(({ status }) => status === wantedStatus);
  return has('fail') ? 'fail' : has('warn') ? 'warn' : 'ok';
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail };
}

export function warn(check: string, detail: string, action: string): Finding {
  return { check, status: 'warn', detail, action };
}

export function fail(check: string, detail: string, action: string): Finding {
  return { check, status: 'fail', detail, action };
}

/** Returns the message of an error, without the credentials of a URL in it. */
export function describeFailure(error: unknown): string {
  return textOf(error)
    .replaceAll(/\/\/[^/@\s]*@/g, '//***@')
    .replaceAll(/\s*\n\s*/g, ' ');
}

function textOf(error: unknown): string {
  if (error instanceof IdentityError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : 'It failed.';
}
