import { canonicalJson, isSameJson } from '../../base/values/json-values.ts';
import { toAmount } from '../../base/values/money.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import type { FieldDifference } from '../../records/approval.ts';
import type {
  ApprovalRequirement,
  Budget,
  Instant,
  Passport,
  PassportInput,
  PassportVersion,
} from '../../records.ts';
import { passportRequestSchema } from '../../schema/validators.generated.ts';
import type { Context } from '../shared/context.ts';
import type {
  PassportRecord,
  PassportVersionRecord,
  StoredApprovalRequirement,
  StoredBudget,
} from './collections.ts';

export const NOT_SUSPENDED = { suspended_until: null, suspended_by: null, suspension_reason: null } as const;

/**
 * Returns the passport for an answer at `instant`. The status is computed, because expiry and the end of a
 * suspension are not stored.
 */
export function toPassport(record: PassportRecord, instant: Instant): Passport {
  return shownWith(record, statusAt(record, instant));
}

/** Returns the passport in its stored form. Readers compute expiry and the end of a suspension. */
export function toStoredPassport(record: PassportRecord): Passport {
  return shownWith(record, record.status);
}

function shownWith(record: PassportRecord, status: Passport['status']): Passport {
  const { id, account_id: _, budgets, approval, ...otherFields } = record;
  const {
    widened_by: _by,
    widened_at: _at,
    reviewed_version: _version,
    authors: _authors,
    ...shownFields
  } = otherFields;
  return {
    agent_id: id,
    ...shownFields,
    ...(status !== 'suspended' && NOT_SUSPENDED),
    monetary_limit_per_txn: toAmount(record.monetary_limit_per_txn),
    ...(budgets !== undefined && { budgets: budgets.map(toBudget) }),
    ...(approval !== undefined && { approval: toRequirement(approval) }),
    status,
  };
}

export function toBudget({ limit, ...budget }: StoredBudget): Budget {
  return { ...budget, ...(limit !== undefined && { limit: toAmount(limit) }) };
}

function toRequirement({ above, ...approval }: StoredApprovalRequirement): ApprovalRequirement {
  return { ...approval, ...(above !== undefined && { above: toAmount(above) }) };
}

export function versionId(agent_id: string, version: number): string {
  return `${agent_id}@${`${version}`.padStart(10, '0')}`;
}

export function versionOf(passport: PassportRecord, changed_by: string): PassportVersionRecord {
  return {
    id: versionId(passport.id, passport.version),
    account_id: passport.account_id,
    version: 1,
    created_at: passport.updated_at,
    agent_id: passport.id,
    changed_by,
    changed_at: passport.updated_at,
    passport,
  };
}

export function toPassportVersion(record: PassportVersionRecord): PassportVersion {
  const { changed_by, changed_at, passport } = record;
  return { ...toPassport(passport, changed_at), changed_by, changed_at };
}

export function stripped(
  { id, account_id, version, created_at, revoked_at, domain, agent_name }: PassportRecord,
  instant: Instant,
): PassportRecord {
  return {
    id,
    account_id,
    version: version + 1,
    created_at,
    updated_at: instant,
    domain,
    agent_name,
    allowed_actions: [],
    monetary_limit_per_txn: '0',
    status: 'revoked',
    ...NOT_SUSPENDED,
    revoked_at: revoked_at ?? instant,
    revoked_by: null,
    revocation_reason: null,
    widened_by: null,
    widened_at: null,
  };
}

export function isStripped(record: PassportRecord): boolean {
  const bare = stripped({ ...record, version: record.version - 1 }, record.updated_at);
  return canonicalJson(bare) === canonicalJson(record);
}

interface StoredChange {
  readonly author: string;
  readonly isReviewed: boolean;
}

/**
 * Adds to the next version the number of the last reviewed version and the authors since then. A reviewed version has
 * neither.
 */
export function withReview(
  recordBefore: PassportRecord,
  next: PassportRecord,
  { author, isReviewed }: StoredChange,
): PassportRecord {
  const { reviewed_version: _, authors: __, ...bare } = next;
  if (isReviewed) return bare;
  const authors = [...new Set([...(recordBefore.authors ?? []), author])];
  return { ...bare, reviewed_version: recordBefore.reviewed_version ?? recordBefore.version, authors };
}

/** Reads the last reviewed version. Returns `undefined` if that version was deleted. */
export async function reviewedVersion(
  { store }: Pick<Context, 'store'>,
  recordBefore: PassportRecord,
): Promise<PassportRecord | undefined> {
  const { id, reviewed_version = null } = recordBefore;
  if (reviewed_version === null || reviewed_version === recordBefore.version) return recordBefore;
  return (await store.get('passport_versions', versionId(id, reviewed_version)))?.passport;
}

const FIELDS = passportRequestSchema.fields as readonly (keyof PassportInput)[];

export function differenceBetween(
  recordBefore: PassportRecord,
  recordAfter: PassportRecord,
): readonly FieldDifference[] {
  const [passport, otherPassport] = [recordBefore, recordAfter].map((record) =>
    toPassport(record, record.updated_at),
  );
  return FIELDS.map((field) => ({
    field,
    before: passport?.[field] ?? null,
    after: otherPassport?.[field] ?? null,
  })).filter((difference) => !isSameJson(difference.before, difference.after));
}
