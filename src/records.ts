/**
 * The records of the service. They have the same names and shapes over HTTP, in TypeScript, in SQL columns and in the
 * output of the command line. Types only, no code.
 */

import type { ApprovalRequirement, Budget, BudgetState, IntentUsage } from './records/budget.ts';
import type { Condition } from './records/condition.ts';
import type { AgentKey, PublicKeyInput } from './records/key.ts';
import type { Order, Pace } from './records/order.ts';
import type { PermitRequest } from './records/permit.ts';
import type { Reason } from './records/reason.ts';
import type { TrustedIssuer } from './records/trusted-issuer.ts';
import type { Amount, Environment, Instant } from './records/value.ts';

export type * from './records/api-key.ts';
export type * from './records/budget.ts';
export type * from './records/condition.ts';
export type { Account, AccountOverview, HostLogin } from './records/member.ts';
export type * from './records/order.ts';
export type * from './records/order.ts';
export type { PermitRequest } from './records/permit.ts';
export type * from './records/reason.ts';
export type * from './records/trusted-issuer.ts';
export type * from './records/value.ts';

/** The status of a passport. `expired` is computed from `expires_at` and the current time, and never stored. */
export type PassportStatus = 'active' | 'suspended' | 'revoked' | 'expired';

/** The proof of possession that a passport requires from its agent. */
export type ProofRequirement = 'optional' | 'identity' | 'intent';

/** The fields of a passport that its account sets. */
export interface PassportInput {
  /**
   * A lower-case host name such as `shop.example`. A port is written with `%3A` instead of a colon, as in a
   * `did:web`: `shop.example%3A8443`. The service does not convert or trim it.
   */
  readonly domain: string;
  /** The name of the agent, such as `shopper`: `[a-z0-9][a-z0-9._-]{0,62}`, not ending with a dot. */
  readonly agent_name: string;
  /**
   * The actions that the agent may take, such as `payments.create`, patterns such as `orders.*`, or `*`; at most 256.
   * An empty list allows none.
   */
  readonly allowed_actions: readonly string[];
  /**
   * The maximum amount of one intent, 0 to 10^15 with at most 6 decimals: a number, or text such as
   * `'19.99'`. With 0, an intent is allowed only without an amount or with an amount of 0.
   */
  readonly monetary_limit_per_txn: Amount;
  /**
   * The `agent_id` of the agent's parent. The agent may do only what its parent may also do. The parent must be a
   * passport of the same account that is not revoked and has at most 3 ancestors. The parent never changes.
   */
  readonly parent_agent_id?: string;
  /** Actions and patterns that are denied even if they are allowed; at most 256. */
  readonly denied_actions?: readonly string[];
  /** The ISO 4217 code of the limit, such as `EUR`. Absent: any currency. */
  readonly currency?: string;
  /** The allowed targets, DIDs or `did:web:*.example.com` for all subdomains; at most 256. Absent: any target. */
  readonly allowed_targets?: readonly string[];
  /** Actions and patterns for which an intent must have `parameters.amount`; at most 256. */
  readonly monetary_actions?: readonly string[];
  /** Says which intents a person must approve first. */
  readonly approval?: ApprovalRequirement;
  /**
   * Limits on the sum of amounts or the number of intents in a time window; at most 8. A window lasts from an hour to
   * the whole lifetime of the passport.
   */
  readonly budgets?: readonly Budget[];
  /** Conditions on the parameters of an intent; at most 16. An intent must meet all conditions for its action. */
  readonly conditions?: readonly Condition[];
  /** Limits on the number of intents in any period of a given length; at most 4. */
  readonly pace?: readonly Pace[];
  /** Rules about the order of actions; at most 8. */
  readonly order?: readonly Order[];
  /**
   * The issuers of assertions that can be exchanged for access tokens; at most 8. Child agents do not inherit these
   * issuers.
   */
  readonly trusted_issuers?: readonly TrustedIssuer[];
  /** The instant from which the passport is valid, such as `2027-01-31T09:00:00Z`. */
  readonly not_before?: Instant;
  /** The instant at which the passport expires; later than `not_before`. */
  readonly expires_at?: Instant;
  /**
   * The proof of possession that an intent needs. `optional` (default): none. `identity`: a proof that the intent comes
   * from this agent. `intent`: a proof that the agent signed exactly this intent.
   */
  readonly proof?: ProofRequirement;
  /** A description for people; at most 500 characters. */
  readonly description?: string;
  /** The public keys of the agent, Ed25519 or P-256; at most 4. They verify the agent's signatures. */
  readonly public_keys?: readonly PublicKeyInput[];
  /** Data that the account chooses: at most 20 text values of at most 500 characters. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The owner: a text of 1 to 200 characters, or the id of a member. The owner gets no rights from this field. */
  readonly owner?: string;
  /**
   * The name that `agent-identity apply --set` has given to a set of passport files:
   * `[a-z0-9][a-z0-9._-]{0,63}`. The command changes only passports with this name.
   */
  readonly managed_by?: string;
}

/** An optional field of a passport. */
export type OptionalPassportField = {
  [Field in keyof PassportInput]-?: Record<never, never> extends Pick<PassportInput, Field> ? Field : never;
}[keyof PassportInput];

/** A field of a passport that is a list of texts. */
export type PassportListField = {
  [Field in keyof PassportInput]-?: Required<PassportInput>[Field] extends readonly string[] ? Field : never;
}[keyof PassportInput];

/** A JSON Merge Patch of a passport. `null` removes an optional field. */
export type PassportPatch = {
  readonly [Field in keyof Omit<PassportInput, 'domain' | 'agent_name' | 'parent_agent_id'>]?:
    | PassportInput[Field]
    | null;
};

/** The identity record of an agent. */
export interface Passport extends PassportInput {
  /** The id, `did:web:<domain>:agents:<agent_name>`. */
  readonly agent_id: string;
  /** The public keys of the agent, each with its thumbprint and its algorithm. */
  readonly public_keys?: readonly AgentKey[];
  /** The current status. */
  readonly status: PassportStatus;
  /** The version: 1 for a new passport, and 1 more after every change. */
  readonly version: number;
  /** The instant at which the passport was issued. */
  readonly created_at: Instant;
  /** The instant at which this version was created. */
  readonly updated_at: Instant;
  /** The end of the suspension. `null` if the passport is not suspended, or the suspension has no end. */
  readonly suspended_until: Instant | null;
  /** The account or API key that suspended the passport. */
  readonly suspended_by: string | null;
  /** The reason of the suspension. */
  readonly suspension_reason: string | null;
  /** The instant of the revocation; `null` while the passport is not revoked. */
  readonly revoked_at: Instant | null;
  /** The account or API key that revoked the passport. */
  readonly revoked_by: string | null;
  /** The reason of the revocation. */
  readonly revocation_reason: string | null;
  /**
   * The hour of the newest verdict on the agent, without dry runs. Absent: none in the last 400 days. Only `get` and
   * `list` return it.
   */
  readonly last_seen_at?: Instant;
}

/** One version of a passport, with its author. */
export interface PassportVersion extends Passport {
  /** The account or API key that created this version. */
  readonly changed_by: string;
  /** The instant at which this version was created. */
  readonly changed_at: Instant;
}

/** An action that an agent is about to take. The rules evaluate `parameters.amount` and `parameters.currency`. */
export interface Intent {
  /** The `agent_id` of a passport, such as `did:web:example.com:agents:shopper`; 1 to 512 characters. */
  readonly agent_id: string;
  /** The action, such as `payments.create`; 1 to 256 characters. */
  readonly action: string;
  /** The DID of the action's target; at most 512 characters. Required if the passport has `allowed_targets`. */
  readonly target?: string;
  /**
   * The parameters. The rules evaluate `amount` (an exact decimal, as a number or text) and `currency` (ISO 4217).
   * Conditions and your own rules may read other parameters.
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /**
   * A proof of possession that `signIntent` of `agent-identity-service/proof` creates for this intent: a compact JWS of
   * 1 to 8,192 characters. The proof is checked even if no proof is required, and is valid for one ALLOW.
   */
  readonly proof?: string;
  /**
   * `true`: asks for a verdict without acting. The call counts as a verification in the rate of the plan. The
   * verdict is stored as a dry run, and is not counted in analytics.
   */
  readonly dry_run?: boolean;
  /**
   * The id `apr_…` of an approval for exactly this intent, valid for one ALLOW. The approval is checked even if no
   * approval is required.
   */
  readonly approval_id?: string;
  /**
   * The seconds for which an `ALLOW` holds the amount instead of spending it, 1 to 604,800. In this time you
   * commit or release the amount.
   */
  readonly hold_seconds?: number;
  /**
   * The user or system for whom the agent acts: an opaque id of 1 to 256 characters without control characters. The
   * service records the subject but does not evaluate it. Rules of the application may read it. An approval, an
   * idempotency key or a proof of the intent is valid only for this subject.
   */
  readonly subject?: string;
  /**
   * One run of the agent, for rules of order: 1 to 128 printable ASCII characters without a space. Your application
   * chooses the session, never a model. The session is not recorded. An approval, an idempotency key or a proof of the
   * intent is valid only for this session.
   */
  readonly session?: string;
  /**
   * The tokens or credits that the action uses, for budgets with a `unit`. An approval, an idempotency key or a proof
   * is valid only for this usage.
   */
  readonly usage?: IntentUsage;
  /**
   * Asks for a permit: a signed ALLOW for exactly this action. Some resources act only if they get a permit.
   * If the permit cannot be signed, there is no ALLOW, and no budget or approval is used.
   */
  readonly permit?: PermitRequest;
}

/** A verdict: `ALLOW` if there are no reasons, `DENY` otherwise. */
export interface Verdict {
  /** `ALLOW` if there are no reasons, `DENY` otherwise. */
  readonly verdict: 'ALLOW' | 'DENY';
  /**
   * A reason for every rule that failed, in the order of `ReasonCode`. Reasons of the application's rules come last.
   */
  readonly reasons: readonly Reason[];
}

/** A verdict with its intent, caller and instant. */
export interface VerdictRecord extends Verdict {
  /** The unique id of this verdict, `dec_…`. */
  readonly decision_id: string;
  /** The `agent_id` of the intent. */
  readonly agent_id: string;
  /** The action of the intent. */
  readonly action: string;
  /** The target of the intent. `null` if there is none. */
  readonly target: string | null;
  /** The amount of the intent. `null` if it has none or it is not an exact decimal. */
  readonly amount: Amount | null;
  /** The currency of the intent. `null` if it has none or it is not an ISO 4217 code. */
  readonly currency: string | null;
  /** The usage of the intent. Absent if it has none. */
  readonly usage?: IntentUsage;
  /** The version of the evaluated passport. `null` if the caller may see no such passport. */
  readonly passport_version: number | null;
  /**
   * The versions of the evaluated passports of its ancestors, nearest first. `null` for an agent without a parent, and
   * if the caller may see no such passport.
   */
  readonly ancestor_versions: readonly number[] | null;
  /** The environment of the API key. `live` for calls in process. */
  readonly environment: Environment;
  /** The API key of the caller. `null` for calls in process. */
  readonly key_id: string | null;
  /**
   * The id of the request. `null` for calls in process. The stored verdict record has the id only if the caller sent
   * it, cut to 64 characters. Otherwise the record has `null`.
   */
  readonly request_id: string | null;
  /** The trace id of the request, 32 lower-case hexadecimal digits. `null` if the caller sent none. */
  readonly trace_id: string | null;
  /** `true` if the request was a dry run. */
  readonly dry_run: boolean;
  /** The thumbprint of the agent key that proved the intent. `null` without a valid proof. */
  readonly proof_kid: string | null;
  /** The subject of the intent. `null` if it has none, or if it was erased. */
  readonly subject: string | null;
  /** `true` if the subject was erased. Otherwise absent. */
  readonly subject_erased?: true;
  /** The approval that the intent names. `null` if it names none. */
  readonly approval_id: string | null;
  /** The hold seconds of the intent. `null` without a hold. */
  readonly hold_seconds: number | null;
  /**
   * The name of the local verifier that decided. `null` if the service decided. With a name, the record is a statement
   * of the API key's owner, not of the service.
   */
  readonly verifier: string | null;
  /** The resource for which a permit was issued. `null` without a permit. */
  readonly permit_audience: string | null;
  /**
   * The permit, in the answer to an intent that asks for one. Stored records and other answers do not have this field.
   * `null` on DENY, for a dry run, and for an ALLOW that is repeated after its permit has expired.
   */
  readonly permit?: string | null;
  /**
   * An opaque text of at most 1,024 characters, the mark. An ALLOW has it if a rule of order evaluates the
   * outcome of the action. You send the mark with the report of this outcome. Stored records and other
   * answers do not have this field.
   */
  readonly mark?: string;
  /** The budgets that an ALLOW spent from, in their state after the verdict. Otherwise empty. */
  readonly budgets: readonly BudgetState[];
  /** The instant at which the intent was evaluated. */
  readonly evaluated_at: Instant;
}
