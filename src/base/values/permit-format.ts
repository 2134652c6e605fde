/** The format of a permit, for the code that creates permits and the code that checks them. */

/** The `typ` in the header of a permit. No other token of this package has it. */
export const PERMIT_TYPE = 'agent-permit+jwt';

export const MAX_PERMIT_LENGTH = 4_096;

export const MAX_PERMIT_SECONDS = 60;

export const PERMIT_SECONDS = 30;

/**
 * The start of every audience in the environment `test`. A resource that compares `aud` exactly thus refuses test
 * permits.
 */
export const TEST_AUDIENCE = 'test:';

export const PERMIT_AUDIENCE: RegExp = /^(?!test:)[!-~]{1,256}$/;

export function isPermitAudience(text: unknown): text is string {
  return typeof text === 'string' && PERMIT_AUDIENCE.test(text);
}
