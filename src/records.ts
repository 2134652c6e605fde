/**
 * The records of the service: one name and one shape on the wire, in TypeScript, in SQL columns and
 * in the command's output. Types only; nothing here runs.
 */

/** RFC 3339 instant in UTC with milliseconds, such as `2026-11-20T12:00:00.000Z`. */
export type Instant = string;

/** A decimal amount: a number when its shortest text is the exact decimal, else canonical decimal text. */
export type Amount = number | string;

/** `live` moves money; `test` may only ask for verdicts. */
export type Environment = 'live' | 'test';

/** What an API key may be used for. */
export type Scope = 'verify' | 'revoke' | 'reinstate';

/** The plan of an account: how many keys, passports and verifications a minute it has. */
export type Plan = 'starter' | 'team' | 'enterprise';

/** Who manages passports and keys. Never holds the password. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
  readonly created_at: Instant;
}

/** An account with what it uses and what its plan allows. */
export interface AccountOverview extends Account {
  readonly usage: { readonly active_keys: number; readonly passports: number };
  /** `null` is no limit. */
  readonly limits: {
    readonly keys: number | null;
    readonly passports: number | null;
    readonly verifications_per_minute: number | null;
  };
}

/** Which account issues for a domain, since when. */
export interface DomainClaim {
  /** The host without port. */
  readonly domain: string;
  readonly account_id: string;
  readonly created_at: Instant;
  /** The last transfer. */
  readonly changed_at: Instant | null;
  readonly changed_by: string | null;
}

/** `rotating`: replaced, its grace still running. `expired` is derived from time, never stored. */
export type ApiKeyStatus = 'active' | 'rotating' | 'expired' | 'revoked';

/** An API key as it is shown: `start` is all of the secret that can ever be seen again. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly start: string;
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  /** The only agents this key may ask about, or `null` for every agent of the account. */
  readonly agent_ids: readonly string[] | null;
  readonly status: ApiKeyStatus;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly last_used_at: Instant | null;
  readonly revoked_at: Instant | null;
  readonly rotated_to: string | null;
  /** The account that made it, or `operator`; `null` where a release before this field made it. */
  readonly created_by: string | null;
  /** The last change of its name, scopes or agents. */
  readonly changed_at: Instant | null;
  readonly changed_by: string | null;
  readonly revoked_by: string | null;
}

/** Settled states; `expired` is derived from `expires_at` and the instant of the question, never stored. */
export type PassportStatus = 'active' | 'suspended' | 'revoked' | 'expired';

/** The fields of a passport that its account decides (CONTRACT section 2). */
export interface PassportInput {
  readonly domain: string;
  readonly agent_name: string;
  readonly allowed_actions: readonly string[];
  readonly monetary_limit_per_txn: Amount;
  readonly denied_actions?: readonly string[];
  readonly currency?: string;
  readonly allowed_targets?: readonly string[];
  readonly monetary_actions?: readonly string[];
  readonly not_before?: Instant;
  readonly expires_at?: Instant;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A JSON Merge Patch of a passport: `null` removes an optional field. */
export type PassportPatch = {
  readonly [Field in keyof Omit<PassportInput, 'domain' | 'agent_name'>]?: PassportInput[Field] | null;
};

/** The identity record of an agent. */
export interface Passport extends PassportInput {
  readonly agent_id: string;
  readonly status: PassportStatus;
  /** 1 at creation, one more with every change. */
  readonly version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** `null` while not suspended, and for a suspension without an end. */
  readonly suspended_until: Instant | null;
  readonly suspended_by: string | null;
  readonly suspension_reason: string | null;
  readonly revoked_at: Instant | null;
  readonly revoked_by: string | null;
  readonly revocation_reason: string | null;
}

/** One version of a passport, with who made it. */
export interface PassportVersion extends Passport {
  readonly changed_by: string;
  readonly changed_at: Instant;
}

/** What an agent is about to do. `parameters.amount` and `parameters.currency` are judged. */
export interface Intent {
  readonly agent_id: string;
  readonly action: string;
  readonly target?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Asks without acting: counted against the rate, journaled as such, left out of analytics. */
  readonly dry_run?: boolean;
}

/** Why a verdict is not ALLOW: a stable code, a constant sentence, and the particulars. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly [fact: string]: string | number | boolean | null;
}

/** The verdict itself: `ALLOW` exactly when there are no reasons. */
export interface Verdict {
  readonly verdict: 'ALLOW' | 'DENY';
  readonly reasons: readonly Reason[];
}

/** A verdict with what was judged, by whom it was asked, and when. */
export interface VerdictRecord extends Verdict {
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action: string;
  readonly target: string | null;
  /** The amount of the intent; `null` when it had none or it was no exact decimal. */
  readonly amount: Amount | null;
  /** The currency of the intent; `null` when it had none or it was no ISO 4217 code. */
  readonly currency: string | null;
  readonly passport_version: number | null;
  readonly environment: Environment;
  /** The key that asked; `null` in process. */
  readonly key_id: string | null;
  /**
   * The id of the request; `null` in process. A record in the journal has it only where the caller gave one, its
   * first 64 characters.
   */
  readonly request_id: string | null;
  readonly dry_run: boolean;
  readonly evaluated_at: Instant;
}

/** Which passport to revoke, and why. */
export interface RevokeInput {
  readonly agent_id: string;
  readonly reason?: string;
}

/** Which passport to suspend, why, and until when; without `until` until it is reinstated. */
export interface SuspendInput extends RevokeInput {
  readonly until?: Instant;
}

/** Which passport to reinstate. */
export interface ReinstateInput {
  readonly agent_id: string;
}

/** A passport that is revoked, with the first reason and instant. */
export interface Revocation {
  readonly agent_id: string;
  readonly status: 'revoked';
  readonly reason: string | null;
  readonly revoked_at: Instant;
}

/** A passport that is suspended. */
export interface Suspension {
  readonly agent_id: string;
  readonly status: 'suspended';
  readonly reason: string | null;
  readonly suspended_until: Instant | null;
}

/** A passport that is not suspended any more. */
export interface Reinstatement {
  readonly agent_id: string;
  readonly status: PassportStatus;
}

/** One page of a list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
