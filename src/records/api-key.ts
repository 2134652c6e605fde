/** API keys. Types only, no code. */
import type { Environment, Instant, Scope } from './value.ts';

/**
 * The status of an API key. `rotating`: replaced, but valid until its grace period ends. `expired` is computed from the
 * current time, and never stored.
 */
export type ApiKeyStatus = 'active' | 'rotating' | 'expired' | 'revoked';

/** An API key without its secret. Only `start` of the secret can be shown again. */
export interface ApiKey {
  /** The id, `key_…`, computed from the digest of the key. */
  readonly id: string;
  /** The name that the account gave the key. */
  readonly name: string;
  /** The prefix and the first four characters of the secret. */
  readonly start: string;
  /** The environment. A `test` key can only ask for verdicts, and their records have the environment `test`. */
  readonly environment: Environment;
  /** The operations that the key allows. */
  readonly scopes: readonly Scope[];
  /** The agents for which this key may ask for verdicts. `null`: every agent of the account. */
  readonly agent_ids: readonly string[] | null;
  /** The domains to which a management key is limited. `null`: every domain of the account. Absent for other keys. */
  readonly domains?: readonly string[] | null;
  /**
   * The member who is responsible for this key. Only two kinds of keys have this field: a management key has
   * its creator, and a key that a management key created has the same member. `null`: no member is known.
   */
  readonly person?: string | null;
  /** The current status. */
  readonly status: ApiKeyStatus;
  /** The instant at which it was created. */
  readonly created_at: Instant;
  /** The instant at which it expires. `null`: it does not expire. */
  readonly expires_at: Instant | null;
  /** The instant of the last use, to the minute. `null`: not yet used. */
  readonly last_used_at: Instant | null;
  /** The instant of its revocation. `null` if it is not revoked. */
  readonly revoked_at: Instant | null;
  /** The id of the key that replaced it. */
  readonly rotated_to: string | null;
  /**
   * The id of the API key, member or account that created it. `operator` stands for a person with direct access to the
   * storage.
   */
  readonly created_by: string | null;
  /** The instant of the last change of its name, scopes or agents. `null` if it was never changed. */
  readonly changed_at: Instant | null;
  /** The id of the API key, member or account that changed it, or `operator`. */
  readonly changed_by: string | null;
  /** The id of the API key, member or account that revoked it, or `operator`. `null` if it is not revoked. */
  readonly revoked_by: string | null;
}
