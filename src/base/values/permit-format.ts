/** The format of a permit, for the code that creates permits and the code that checks them. */

/** The `typ` in the header of a permit. No other token of this package has it. */
export const PERMIT_TYPE = 'agent-permit+jwt';

export const MAX_PERMIT_LENGTH = 4_096;

export const MAX_PERMIT_SECONDS = 60;

/** The validity of a permit in seconds, unless the intent asks for another. */
export const PERMIT_SECONDS = 30;

/**
 * The start of every audience in the environment `test`. A resource that compares `aud` exactly thus refuses test
 * permits.
 */
export const TEST_AUDIENCE = 'test:';

export const PERMIT_AUDIENCE: RegExp = /^(?!test:)[!-~]{1,256}$/;

/**
 * Says whether the text is a valid name of a resource: 1 to 256 printable ASCII characters that do not begin with
 * `test:`.
 */
export function isPermitAudience(text: unknown): text is string {
  return typeof text === 'string' && PERMIT_AUDIENCE.test(text);
}
