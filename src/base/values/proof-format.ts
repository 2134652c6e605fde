/** The format of a proof of possession, for the code that creates proofs and the code that checks them. */

/** The `typ` in the header of a proof. No other token of this package has it. */
export const PROOF_TYPE = 'agent-intent+jwt';

export const MAX_PROOF_LENGTH = 8_192;

/** The default for the longest validity of a proof, in seconds. */
export const PROOF_SECONDS = 300;

/** The maximum that a service can set as the longest validity, in seconds. */
export const MAX_PROOF_SECONDS = 3_600;

export const PROOF_ID: RegExp = /^[A-Za-z0-9._~-]{16,128}$/;

export const PROVED_MEMBERS = ['action', 'target', 'parameters', 'subject', 'session', 'usage'] as const;

// The format of a permit, for the code that creates permits and the code that checks them.

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
