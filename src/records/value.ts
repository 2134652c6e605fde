/** Basic types for the fields of records. Types only, no code. */

/** An RFC 3339 instant in UTC with milliseconds, such as `2026-11-20T12:00:00.000Z`. */
export type Instant = string;

/** A decimal amount: a number if its shortest text is the exact decimal, otherwise canonical decimal text. */
export type Amount = number | string;

/**
 * The environment of an API key. `live` is for agents that really act, for example with money. With `test`
 * you can only ask for verdicts.
 */
export type Environment = 'live' | 'test';

/** A scope of an API key that asks for verdicts. */
export type VerdictScope =
  | 'verify'
  | 'revoke'
  | 'reinstate'
  | 'refund'
  | 'events'
  | 'sign'
  | 'decide'
  | 'permit'
  | 'token';

/** A scope of a management key to read, propose or change something. */
export type ManagementScope =
  | 'passports:read'
  | 'passports:propose'
  | 'passports:write'
  | 'keys:read'
  | 'keys:write'
  | 'approvals:read'
  | 'verifications:read'
  | 'audit:read'
  | 'analytics:read'
  | 'webhooks:read'
  | 'webhooks:write';

/** A scope of an API key. Only `revoke` and `reinstate` exist for both kinds of keys. */
export type Scope = VerdictScope | ManagementScope;

/** The plan of an account, which sets the limits on its keys, passports and verifications per minute. */
export type Plan = 'starter' | 'team' | 'enterprise';

/** The role of a member of an account, which says what the member may do. */
export type Role = 'viewer' | 'approver' | 'editor' | 'admin' | 'owner';

/** One page of a list, newest first. */
export interface Page<Item> {
  /** The records. */
  readonly data: readonly Item[];
  /** `true` if there is a next page. */
  readonly has_more: boolean;
  /** The `cursor` of the next page. `null` on the last page. */
  readonly next_cursor: string | null;
}
