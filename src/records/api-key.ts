/** API keys. Types only, no code. */
import type { Environment, Instant, Scope } from './value.ts';

/**
 * The status of a key. `rotating`: replaced, and still valid until its grace period ends. `expired` is derived from
 * time, never stored.
 */
export type ApiKeyStatus = 'active' | 'rotating' | 'expired' | 'revoked';

/** An API key as it is shown. Only `start` of its secret can be seen again. */
export interface ApiKey {
  /** The id, `key_…`, derived from the digest of the key. */
  readonly id: string;
  /** The name that the account gave it. */
  readonly name: string;
  /** The prefix and the first four characters of the secret. */
  readonly start: string;
  /** The environment. A `test` key may only ask for verdicts, and its records say so. */
  readonly environment: Environment;
  /** The operations that the key may be used for. */
  readonly scopes: readonly Scope[];
  /** The agents that this key may ask about; `null`: every agent of the account. */
  readonly agent_ids: readonly string[] | null;
  /** The domains that a management key is bound to; `null`: every domain of the account. Absent for other keys. */
  readonly domains?: readonly string[] | null;
  /**
   * The member behind a management key, or behind a key that a management key made; `null`: nobody. Absent for other
   * keys.
   */
  readonly person?: string | null;
  /** The current status. */
  readonly status: ApiKeyStatus;
  /** The instant at which it was made. */
  readonly created_at: Instant;
  /** The instant from which it is refused; `null`: it does not expire. */
  readonly expires_at: Instant | null;
  /** The last use, to the minute; `null`: not used yet. */
  readonly last_used_at: Instant | null;
  /** The instant of its revocation; `null` while it is not revoked. */
  readonly revoked_at: Instant | null;
  /** The id of the key that replaced it. */
  readonly rotated_to: string | null;
  /** The member that made it, or `operator`. */
  readonly created_by: string | null;
  /** The instant of the last change of its name, scopes or agents; `null` without a change. */
  readonly changed_at: Instant | null;
  /** The member that changed it, or `operator`. */
  readonly changed_by: string | null;
  /** The member that revoked it, or `operator`; `null` while it is not revoked. */
  readonly revoked_by: string | null;
}
