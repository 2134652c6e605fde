/** The form of a proof of possession, for the code that makes it and the code that checks it. */

/** The `typ` of the header. No other token of this package has it. */
export const PROOF_TYPE = 'agent-intent+jwt';

/** The most characters of a proof. */
export const MAX_PROOF_LENGTH = 8_192;

/** The longest validity of a proof in seconds, unless the service sets another. */
export const PROOF_SECONDS = 300;

/** The longest validity that a service can set, in seconds. */
export const MAX_PROOF_SECONDS = 3_600;

/** The grammar of `jti`: 16 to 128 characters. */
export const PROOF_ID: RegExp = /^[A-Za-z0-9._~-]{16,128}$/;

export const PROVED_MEMBERS = ['action', 'target', 'parameters', 'subject', 'session', 'usage'] as const;
