/** The form of a permit, for the code that makes it and the code that checks it. */

/** The `typ` of the header. No other token of this package has it. */
export const PERMIT_TYPE = 'agent-permit+jwt';

/** The most characters of a permit. */
export const MAX_PERMIT_LENGTH = 4_096;

/** The longest life of a permit, in seconds. */
export const MAX_PERMIT_SECONDS = 60;

/** The life of a permit in seconds, unless the intent asks for another. */
export const PERMIT_SECONDS = 30;

/** The start of every audience in the environment `test`, so that a check of `aud` alone refuses it elsewhere. */
export const TEST_AUDIENCE = 'test:';

export const PERMIT_AUDIENCE: RegExp = /^(?!test:)[!-~]{1,256}$/;

/** Says whether the text names a resource: 1 to 256 printable ASCII characters that do not begin with `test:`. */
export function isPermitAudience(text: unknown): text is string {
  return typeof text === 'string' && PERMIT_AUDIENCE.test(text);
}
