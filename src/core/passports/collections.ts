import type { Collection } from '../../ports/collection.ts';
import type { RecordBase } from '../../ports/stored.ts';
import type { AgentKey } from '../../records/key.ts';
import type {
  ApprovalBy,
  BudgetUnit,
  BudgetWindow,
  Condition,
  Instant,
  Order,
  PassportInput,
  PassportStatus,
  TrustedIssuer,
} from '../../records.ts';
import { PASSPORT_COLUMNS, PASSPORT_COLUMNS_SINCE } from '../../schema/passport-fields.ts';

/** A condition. Its bounds are canonical amounts. */
export type StoredCondition = { readonly [Field in keyof Condition]: Condition[Field] };

/** A pace rule of a passport, with its name. */
export type StoredPace = {
  readonly name: string;
  readonly actions?: readonly string[];
  readonly max: number;
  readonly seconds: number;
};

/** A rule of order of a passport. */
export type StoredOrder = {
  readonly [Field in keyof Order]: Order[Field] extends infer Part
    ? Part extends object
      ? { readonly [Name in keyof Part]: Part[Name] }
      : Part
    : never;
};

/** A trusted issuer. Its keys have only the fields that define them, `kid` and `alg`. */
export type StoredTrustedIssuer = { readonly [Field in keyof TrustedIssuer]: TrustedIssuer[Field] };

/** An approval rule. `above` is canonical decimal text. */
export type StoredApprovalRequirement = {
  readonly above?: string;
  readonly actions?: readonly string[];
  readonly seconds: number;
  readonly count?: number;
  readonly by?: ApprovalBy;
  readonly changes?: boolean;
};

/** A budget of a passport: either `limit`, as canonical decimal text, or `count`. */
export type StoredBudget = {
  readonly name: string;
  readonly window: BudgetWindow;
  readonly limit?: string;
  readonly unit?: BudgetUnit;
  readonly count?: number;
  readonly actions?: readonly string[];
  readonly overrun?: boolean;
  readonly warn_at?: number;
};

/** The fields that the account sets. Limits are stored as canonical decimal text, and each key with its thumbprint. */
export type PassportFields = Omit<
  PassportInput,
  | 'monetary_limit_per_txn'
  | 'public_keys'
  | 'budgets'
  | 'approval'
  | 'conditions'
  | 'pace'
  | 'order'
  | 'trusted_issuers'
> & {
  readonly monetary_limit_per_txn: string;
  readonly public_keys?: readonly AgentKey[];
  readonly budgets?: readonly StoredBudget[];
  readonly approval?: StoredApprovalRequirement;
  readonly conditions?: readonly StoredCondition[];
  readonly pace?: readonly StoredPace[];
  readonly order?: readonly StoredOrder[];
  readonly trusted_issuers?: readonly StoredTrustedIssuer[];
};

/** The stored state of a passport. */
export type PassportState = {
  readonly status: Exclude<PassportStatus, 'expired'>;
  readonly suspended_until: Instant | null;
  readonly suspended_by: string | null;
  readonly suspension_reason: string | null;
  readonly revoked_at: Instant | null;
  readonly revoked_by: string | null;
  readonly revocation_reason: string | null;
};

/** A passport. Its `id` is the `agent_id`. */
export type PassportRecord = RecordBase &
  PassportFields &
  PassportState & {
    readonly updated_at: Instant;
    /** The person who made the passport, or its last change that let more happen; `null` if none is known. */
    readonly widened_by: string | null;
    readonly widened_at: Instant | null;
    /** The last reviewed version; if absent, this version. */
    readonly reviewed_version?: number;
    /** The authors of the changes since the reviewed version; absent if there are none. */
    readonly authors?: readonly string[];
  };

/** A version of a passport, written in one step with the passport. Its `id` is `<agent_id>@<version, ten digits>`. */
export type PassportVersionRecord = RecordBase & {
  readonly agent_id: string;
  readonly changed_by: string;
  readonly changed_at: Instant;
  readonly passport: PassportRecord;
};

export const passportCollection: Collection<PassportRecord> = {
  fields: {
    updated_at: 'text',
    ...PASSPORT_COLUMNS,
    status: 'text',
    suspended_until: 'text|null',
    suspended_by: 'text|null',
    suspension_reason: 'text|null',
    revoked_at: 'text|null',
    revoked_by: 'text|null',
    revocation_reason: 'text|null',
    widened_by: 'text|null',
    widened_at: 'text|null',
    reviewed_version: 'integer?',
    authors: 'json?',
  },
  lists: [
    ['account_id'],
    ['account_id', 'status'],
    ['account_id', 'domain'],
    ['account_id', 'parent_agent_id'],
  ],
  expired: ['account_id'],
  since: PASSPORT_COLUMNS_SINCE,
  isCached: true,
};

export const passportVersionCollection: Collection<PassportVersionRecord> = {
  fields: {
    agent_id: 'text',
    changed_by: 'text',
    changed_at: 'text',
    passport: 'json',
  },
  lists: [['agent_id']],
};
