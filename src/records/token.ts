/** Signed passports: the request and the result. Types only, no code. */
import type { Instant } from '../records.ts';

/** The options of a signed passport. */
export interface SignPassportInput {
  /**
   * The validity of the token in seconds, 60 to 86,400. Default: 3,600, unless the service sets another. A token never
   * expires after its passport.
   */
  readonly ttl_seconds?: number;
  /** The thumbprint of the agent key that the token names (`cnf`). Default: the agent's first key. */
  readonly kid?: string;
}

/** A passport as a token that others can verify without the service. */
export interface SignedPassportToken {
  /** A JWT of the type `agent-passport+jwt`. Do not log it, because anyone who has it can present it. */
  readonly token: string;
  /** The thumbprint of the service's signing key, as in its JWK set. */
  readonly kid: string;
  /** The instant at which the token expires. */
  readonly expires_at: Instant;
}
