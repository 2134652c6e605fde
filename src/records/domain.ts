/** The claims of domains. Types only, no code. */
import type { Instant } from '../records.ts';

/**
 * The status of a domain.
 *
 * - `claimed`: the account was the first to issue a passport for it.
 * - `pending`: the account has a token with which it can prove the domain.
 * - `proven`: the service has found the token.
 * - `lapsed`: the token was missing for three days. Passports stay valid, but no new passport can be issued.
 * - `lost`: another account has proven the domain, or an operator has taken it away. Tokens that the service
 *   signed for passports of this account and domain are revoked in the status list.
 */
export type DomainStatus = 'claimed' | 'pending' | 'proven' | 'lapsed' | 'lost';

/** The place where the token of a domain was found. */
export type DomainProofMethod = 'dns' | 'https';

/** The claim of an account to a domain, and its verification. */
export interface DomainClaim {
  /** The host, without port. */
  readonly domain: string;
  /** The account that owns the domain, or has asked to verify it. */
  readonly account_id: string;
  /** The status of the verification. */
  readonly status: DomainStatus;
  /** The place where the token was found. `null` if it was never found. */
  readonly method: DomainProofMethod | null;
  /** The instant of the first successful verification. `null` if there is none. */
  readonly proven_at: Instant | null;
  /** The instant of the last check by the service. `null` before the first check. */
  readonly checked_at: Instant | null;
  /** The token that you publish to verify the domain. Absent until the account asks for a token. */
  readonly token?: string;
  /** The TXT record that you must publish and keep. Either `dns` or `https` is enough. */
  readonly dns?: {
    /** The name of the record. */
    readonly name: string;
    /** The value of the record. */
    readonly value: string;
  };
  /** The page that you must serve and keep. Either `dns` or `https` is enough. */
  readonly https?: {
    /** The URL of the page. */
    readonly url: string;
    /** The exact content of the page. */
    readonly body: string;
  };
  /**
   * The end of the time in which the service must find the published token for the first time. `null` or
   * absent after that.
   */
  readonly expires_at?: Instant | null;
  /** The instant of the claim. */
  readonly created_at: Instant;
  /** The instant of the last transfer. `null` if there was none. */
  readonly changed_at: Instant | null;
  /** The author of the transfer: `operator`. */
  readonly changed_by: string | null;
}
