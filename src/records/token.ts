/** Signed passports: what is asked for, and what comes of it. Types only; nothing here runs. */
import type { Instant } from '../records.ts';

/** How to sign a passport. */
export interface SignPassportInput {
  /** For how long the token is valid, 60 to 86,400 s; default 3,600, or as the service is set up. It never outlives the passport. */
  readonly ttl_seconds?: number;
  /** The thumbprint of the key of the agent that the token names (`cnf`); default: its first key. */
  readonly kid?: string;
}

/** A passport as a token that strangers can check by themselves. */
export interface SignedPassportToken {
  /** A JWT of the type `agent-passport+jwt`. Its holder can show it: it must not be logged. */
  readonly token: string;
  /** The thumbprint of the key of the service that signed it, in its JWK set. */
  readonly kid: string;
  /** From here on it is refused. */
  readonly expires_at: Instant;
}
