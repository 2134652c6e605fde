/** Signed passports: the request and the result. Types only, no code. */
import type { Instant } from '../records.ts';

/** The options of a signed passport. */
export interface SignPassportInput {
  /**
   * The validity of the token in seconds, 60 to 86,400; default 3,600, unless the service sets another. It never
   * outlives the passport.
   */
  readonly ttl_seconds?: number;
  /** The thumbprint of the agent's key that the token names (`cnf`); default: its first key. */
  readonly kid?: string;
}

/** A passport as a token that others can verify on their own. */
export interface SignedPassportToken {
  /** A JWT of the type `agent-passport+jwt`. Anyone who holds it can present it: it must not be logged. */
  readonly token: string;
  /** The thumbprint of the service's signing key, as in its JWK set. */
  readonly kid: string;
  /** The instant from which it is refused. */
  readonly expires_at: Instant;
}
