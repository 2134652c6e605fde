/** The form of a proof of possession, for those who make it and those who check it. */

/** `typ` of the header. No other token of ours has it. */
export const PROOF_TYPE = 'agent-intent+jwt';

/** Characters of a proof. */
export const MAX_PROOF_LENGTH = 8_192;

/** The longest that a proof may be valid for, in seconds, unless the service is set up otherwise. */
export const PROOF_SECONDS = 300;

/** The longest that a service can be set up for. */
export const MAX_PROOF_SECONDS = 3_600;

/** `jti`: 16 to 128 characters. */
export const PROOF_ID: RegExp = /^[A-Za-z0-9._~-]{16,128}$/;

/** The members of an intent that a proof covers. */
export const PROVED_MEMBERS = ['action', 'target', 'parameters'] as const;
