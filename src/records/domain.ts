/** The claims of domains. Types only, no code. */
import type { Instant } from '../records.ts';

/**
 * The status of a domain.
 *
 * - `claimed`: the account was the first to issue for it.
 * - `pending`: the account has a token to prove it with.
 * - `proven`: the service found the token.
 * - `lapsed`: the token was missing for three days. Passports stay valid, and no new passport is issued.
 * - `lost`: another account has proved the domain, or an operator took it away. Its signed passports are revoked in
 *   the status list.
 */
export type DomainStatus = 'claimed' | 'pending' | 'proven' | 'lapsed' | 'lost';

/** The place where the token of a domain was found. */
export type DomainProofMethod = 'dns' | 'https';

/** The claim of an account on a domain: the account that issues for it, and its proof. */
export interface DomainClaim {
  /** The host, without port. */
  readonly domain: string;
  /** The account that owns it, or has asked to prove it. */
  readonly account_id: string;
  /** The status of the proof. */
  readonly status: DomainStatus;
  /** The method of the proof; `null` if there is none. */
  readonly method: DomainProofMethod | null;
  /** The instant of the first proof; `null` if there is none. */
  readonly proven_at: Instant | null;
  /** The instant of the last check by the service; `null` before the first. */
  readonly checked_at: Instant | null;
  /** The token that proves the domain once it is published; absent until the account asks for it. */
  readonly token?: string;
  /** The TXT record to publish, or to keep. */
  readonly dns?: {
    /** The name of the record. */
    readonly name: string;
    /** The value of the record. */
    readonly value: string;
  };
  /** The page to serve, or to keep. One of `dns` and `https` suffices. */
  readonly https?: {
    /** The URL of the page. */
    readonly url: string;
    /** The exact content of the page. */
    readonly body: string;
  };
  /** The instant until which the token can be used for the first time; `null` or absent after that. */
  readonly expires_at?: Instant | null;
  /** The instant of the claim. */
  readonly created_at: Instant;
  /** The instant of the last transfer; `null` if there is none. */
  readonly changed_at: Instant | null;
  /** The author of the transfer: `operator`. */
  readonly changed_by: string | null;
}
