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
