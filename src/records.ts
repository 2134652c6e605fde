/**
 * The records of the service: one name and one shape on the wire, in TypeScript, in SQL columns and
 * in the command's output. Types only; nothing here runs.
 */

import type { ApprovalRequirement, Budget, BudgetState } from './records/budget.ts';
import type { AgentKey, PublicKeyInput } from './records/key.ts';
import type { Reason } from './records/reason.ts';
import type { Amount, Environment, Instant, Plan, Scope } from './records/value.ts';

export type {
  ApprovalRequirement,
  Budget,
  BudgetList,
  BudgetReport,
  BudgetState,
  BudgetWindow,
  Spend,
  SpendStatus,
} from './records/budget.ts';
export type { Reason, ReasonCode } from './records/reason.ts';
export type { Amount, Environment, Instant, Page, Plan, Scope } from './records/value.ts';

/** Who manages passports and keys. Never holds the password. */
export interface Account {
  /** `acc_…`. */
  readonly id: string;
  /** As it signs in. */
  readonly email: string;
  /** What binds it: how many keys, passports and verifications a minute. */
  readonly plan: Plan;
  /** When it was opened. */
  readonly created_at: Instant;
}

/** An account with what it uses and what its plan allows. */
export interface AccountOverview extends Account {
  /** What counts against the limits now. */
  readonly usage: {
    /** Keys that are neither revoked nor expired. */
    readonly active_keys: number;
    /** All of them, revoked ones included. */
    readonly passports: number;
  };
  /** `null` means unlimited. */
  readonly limits: {
    /** Active keys. */
    readonly keys: number | null;
    /** Passports, revoked ones included. */
    readonly passports: number | null;
    /** Verdicts over HTTP in 60 seconds. */
    readonly verifications_per_minute: number | null;
    /** Writes over HTTP in 60 seconds. */
    readonly writes_per_minute: number | null;
  };
}

/** `rotating`: replaced, its grace still running. `expired` is derived from time, never stored. */
export type ApiKeyStatus = 'active' | 'rotating' | 'expired' | 'revoked';

/** An API key as it is shown: `start` is all of the secret that can ever be seen again. */
export interface ApiKey {
  /** `key_…`, made of the digest of the key. */
  readonly id: string;
  /** What the account calls it. */
  readonly name: string;
  /** The prefix and four characters of the secret. */
  readonly start: string;
  /** `test` may only ask for verdicts, and its records say so. */
  readonly environment: Environment;
  /** What it may be used for. */
  readonly scopes: readonly Scope[];
  /** The only agents this key may ask about, or `null` for every agent of the account. */
  readonly agent_ids: readonly string[] | null;
  /** As of now. */
  readonly status: ApiKeyStatus;
  /** When it was made. */
  readonly created_at: Instant;
  /** From here on it is refused; `null`: never. */
  readonly expires_at: Instant | null;
  /** To the minute; `null`: not yet. */
  readonly last_used_at: Instant | null;
  /** `null` while it is not revoked. */
  readonly revoked_at: Instant | null;
  /** The id of the key that took its place. */
  readonly rotated_to: string | null;
  /** The account that made it, or `operator`; `null` where a release before this field made it. */
  readonly created_by: string | null;
  /** The last change of its name, scopes or agents; `null` without one. */
  readonly changed_at: Instant | null;
  /** The account that changed it, or `operator`. */
  readonly changed_by: string | null;
  /** The account that revoked it, or `operator`; `null` while it is not revoked. */
  readonly revoked_by: string | null;
}

/** Settled states; `expired` is derived from `expires_at` and the instant of the question, never stored. */
export type PassportStatus = 'active' | 'suspended' | 'revoked' | 'expired';

/** What a passport asks its agent to prove. */
export type ProofRequirement = 'optional' | 'identity' | 'intent';

/** The fields of a passport that its account decides. */
export interface PassportInput {
  /** Lower-case host name such as `shop.example`, with an optional port as `%3A8443`. Never mapped, trimmed or lower-cased. */
  readonly domain: string;
  /** Such as `shopper`: `[a-z0-9][a-z0-9._-]{0,62}`, not ending in a dot. */
  readonly agent_name: string;
  /** What the agent may do: actions such as `payments.create`, patterns such as `orders.*`, or `*`; at most 256. Empty: nothing. */
  readonly allowed_actions: readonly string[];
  /** The most that one intent may move, 0 to 10^15 with at most 6 decimals: a number, or text such as `'19.99'`. 0: no positive amount. */
  readonly monetary_limit_per_txn: Amount;
  /**
   * The `agent_id` of the agent that it helps: it may do only what its parent may do as well. A passport of the same
   * account that is not revoked, with at most 3 above it. Never changes.
   */
  readonly parent_agent_id?: string;
  /** Actions and patterns that are denied even if they are allowed; at most 256. */
  readonly denied_actions?: readonly string[];
  /** ISO 4217 code of the limit, such as `EUR`. Absent: any currency. */
  readonly currency?: string;
  /** DIDs that an action may be aimed at, exact or as `did:web:*.example.com` for every sub-domain; at most 256. Absent: any. */
  readonly allowed_targets?: readonly string[];
  /** Actions and patterns that must carry `parameters.amount`; at most 256. */
  readonly monetary_actions?: readonly string[];
  /** Which intents a person has to approve first. */
  readonly approval?: ApprovalRequirement;
  /** How much, and how often, in an hour, a day, a week, a month, a year or ever; at most 8. */
  readonly budgets?: readonly Budget[];
  /** From here on it is valid, such as `2027-01-31T09:00:00Z`. */
  readonly not_before?: Instant;
  /** Up to here it is valid, without this instant; later than `not_before`. */
  readonly expires_at?: Instant;
  /**
   * Whether the agent must prove with a key of its own that an intent is its own: `optional` (default); `identity`, that
   * the intent comes from this agent; `intent`, that the agent signed exactly this intent.
   */
  readonly proof?: ProofRequirement;
  /** For people; at most 500 characters. */
  readonly description?: string;
  /** At most 4 public keys of the agent: Ed25519 or P-256. What the agent signs is checked by them. */
  readonly public_keys?: readonly PublicKeyInput[];
  /** For the account: at most 20 text values of at most 500 characters. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A field of a passport that it may lack. */
export type OptionalPassportField = {
  [Field in keyof PassportInput]-?: Record<never, never> extends Pick<PassportInput, Field> ? Field : never;
}[keyof PassportInput];

/** A field of a passport that is a list of texts. */
export type PassportListField = {
  [Field in keyof PassportInput]-?: Required<PassportInput>[Field] extends readonly string[] ? Field : never;
}[keyof PassportInput];

/** A JSON Merge Patch of a passport: `null` removes an optional field. */
export type PassportPatch = {
  readonly [Field in keyof Omit<PassportInput, 'domain' | 'agent_name' | 'parent_agent_id'>]?:
    | PassportInput[Field]
    | null;
};

/** The identity record of an agent. */
export interface Passport extends PassportInput {
  /** `did:web:<domain>:agents:<agent_name>`. */
  readonly agent_id: string;
  /** The public keys of the agent, each with its thumbprint and its algorithm. */
  readonly public_keys?: readonly AgentKey[];
  /** As of now. */
  readonly status: PassportStatus;
  /** 1 at creation, one more with every change. */
  readonly version: number;
  /** When it was issued. */
  readonly created_at: Instant;
  /** When its version was made. */
  readonly updated_at: Instant;
  /** `null` while not suspended, and for a suspension without an end. */
  readonly suspended_until: Instant | null;
  /** The account or key that suspended it. */
  readonly suspended_by: string | null;
  /** As it was given. */
  readonly suspension_reason: string | null;
  /** `null` while it is not revoked. */
  readonly revoked_at: Instant | null;
  /** The account or key that revoked it. */
  readonly revoked_by: string | null;
  /** As it was given. */
  readonly revocation_reason: string | null;
}

/** One version of a passport, with who made it. */
export interface PassportVersion extends Passport {
  /** The account or key that made this version. */
  readonly changed_by: string;
  /** When it was made. */
  readonly changed_at: Instant;
}

/** What an agent is about to do. `parameters.amount` and `parameters.currency` are judged. */
export interface Intent {
  /** The `agent_id` of a passport, such as `did:web:example.com:agents:shopper`; 1 to 512 characters. */
  readonly agent_id: string;
  /** What it is about to do, such as `payments.create`; 1 to 256 characters. */
  readonly action: string;
  /** The DID that the action is aimed at; at most 512 characters. Required where the passport has `allowed_targets`. */
  readonly target?: string;
  /** `amount` (an exact decimal, as a number or text) and `currency` (ISO 4217) are judged; all else is for rules of the host. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /**
   * A proof that the agent means this intent, as `signIntent` of `agent-identity-service/proof` makes one: a compact JWS
   * of 1 to 8,192 characters. It is judged wherever it is given, and good for one ALLOW.
   */
  readonly proof?: string;
  /** Asks without acting: counted against the rate, journaled as such, left out of analytics. */
  readonly dry_run?: boolean;
  /** `apr_…`: the approval of exactly this intent, good for one ALLOW. It is judged wherever it is given. */
  readonly approval_id?: string;
  /** 1 to 604,800: the ALLOW only reserves, until it is committed or released, for at most this many seconds. */
  readonly hold_seconds?: number;
}

/** The verdict itself: `ALLOW` exactly when there are no reasons. */
export interface Verdict {
  /** `ALLOW` exactly when there are no reasons. */
  readonly verdict: 'ALLOW' | 'DENY';
  /** Every rule that failed, in the order of `ReasonCode`, then those of the host. */
  readonly reasons: readonly Reason[];
}

/** A verdict with what was judged, by whom it was asked, and when. */
export interface VerdictRecord extends Verdict {
  /** `dec_…`, of this verdict alone. */
  readonly decision_id: string;
  /** As it was asked. */
  readonly agent_id: string;
  /** As it was asked. */
  readonly action: string;
  /** As it was asked; `null` without one. */
  readonly target: string | null;
  /** The amount of the intent; `null` when it had none or it was not an exact decimal. */
  readonly amount: Amount | null;
  /** The currency of the intent; `null` when it had none or it was no ISO 4217 code. */
  readonly currency: string | null;
  /** The version that was judged; `null` when the caller sees no such passport. */
  readonly passport_version: number | null;
  /**
   * The versions of the passports above that were judged, nearest first; `null` for an agent without a parent, and when
   * the caller sees no such passport.
   */
  readonly ancestor_versions: readonly number[] | null;
  /** Of the key that asked; `live` in process. */
  readonly environment: Environment;
  /** The key that asked; `null` in process. */
  readonly key_id: string | null;
  /**
   * The id of the request; `null` in process. A record in the journal has it only where the caller gave one, its
   * first 64 characters.
   */
  readonly request_id: string | null;
  /** The trace that the question belongs to: 32 lower-case hexadecimal digits; `null` where none was named. */
  readonly trace_id: string | null;
  /** Whether it was asked without acting. */
  readonly dry_run: boolean;
  /** The thumbprint of the key that proved the intent; `null` where no valid proof was looked at. */
  readonly proof_kid: string | null;
  /** The budgets that an ALLOW took from, as they stood after it; else empty. */
  readonly budgets: readonly BudgetState[];
  /** The instant it was judged at. */
  readonly evaluated_at: Instant;
}
