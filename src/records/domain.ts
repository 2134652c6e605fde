/** The claims of domains. Types only; nothing here runs. */
import type { Instant } from '../records.ts';

/**
 * `claimed`: the account was the first to issue for the domain. `pending`: it has a token to prove the domain with.
 * `proven`: the token was found. `lapsed`: the proof was not seen for three days; passports live on, and no new one is
 * issued. `lost`: another account has proved the domain, or an operator took it away; what was signed for it is revoked
 * in the status list.
 */
export type DomainStatus = 'claimed' | 'pending' | 'proven' | 'lapsed' | 'lost';

/** Where the token of a domain was found. */
export type DomainProofMethod = 'dns' | 'https';

/** Which account issues for a domain, since when, and whether it has proved it. */
export interface DomainClaim {
  /** The host without port. */
  readonly domain: string;
  /** The account that owns it, or has asked to prove it. */
  readonly account_id: string;
  /** How far it is proved. */
  readonly status: DomainStatus;
  /** How it was proved; `null` for a domain that is not. */
  readonly method: DomainProofMethod | null;
  /** When it was proved first; `null` for a domain that is not. */
  readonly proven_at: Instant | null;
  /** When the service has looked last; `null` before the first time. */
  readonly checked_at: Instant | null;
  /** What proves it where it is published; absent before the account has asked for it. */
  readonly token?: string;
  /** The TXT record to publish, or to keep. */
  readonly dns?: {
    /** Where it stands. */
    readonly name: string;
    /** What it says. */
    readonly value: string;
  };
  /** The page to serve, or to keep: `dns` or `https` suffices. */
  readonly https?: {
    /** Where it is. */
    readonly url: string;
    /** What it says, and nothing else. */
    readonly body: string;
  };
  /** Until when the token may be used for the first time; `null` or absent for one that was. */
  readonly expires_at?: Instant | null;
  /** Since when. */
  readonly created_at: Instant;
  /** The last transfer; `null` without one. */
  readonly changed_at: Instant | null;
  /** Who transferred it: `operator`. */
  readonly changed_by: string | null;
}
