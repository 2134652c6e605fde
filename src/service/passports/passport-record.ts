/** Converts a passport between its stored and its shown form, and makes the record of a version. */
import { toAmount } from '../../base/values/money.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import type { ApprovalRequirement, Budget, Instant, Passport, PassportVersion } from '../../records.ts';
import type {
  PassportRecord,
  PassportVersionRecord,
  StoredApprovalRequirement,
  StoredBudget,
} from './collections.ts';

/** The fields of a passport that is not suspended. */
export const NOT_SUSPENDED = { suspended_until: null, suspended_by: null, suspension_reason: null } as const;

/** Returns the passport as it is shown at `at`: expiry and the end of a suspension are computed. */
export function toPassport(record: PassportRecord, at: Instant): Passport {
  return shownWith(record, statusAt(record, at));
}

/** Returns the passport as it is stored: an expiry or the end of a suspension is for the reader to derive. */
export function toStoredPassport(record: PassportRecord): Passport {
  return shownWith(record, record.status);
}

function shownWith(record: PassportRecord, status: Passport['status']): Passport {
  const { id, account_id: _, budgets, approval, ...rest } = record;
  const { widened_by: _by, widened_at: _at, reviewed_version: _version, authors: _authors, ...shown } = rest;
  return {
    agent_id: id,
    ...shown,
    ...(status !== 'suspended' && NOT_SUSPENDED),
    monetary_limit_per_txn: toAmount(record.monetary_limit_per_txn),
    ...(budgets !== undefined && { budgets: budgets.map(toBudget) }),
    ...(approval !== undefined && { approval: toRequirement(approval) }),
    status,
  };
}

/** Returns a budget as it is shown. */
export function toBudget({ limit, ...budget }: StoredBudget): Budget {
  return { ...budget, ...(limit !== undefined && { limit: toAmount(limit) }) };
}

function toRequirement({ above, ...approval }: StoredApprovalRequirement): ApprovalRequirement {
  return { ...approval, ...(above !== undefined && { above: toAmount(above) }) };
}

/** Returns the id of the record of a version. */
export function versionId(agent_id: string, version: number): string {
  return `${agent_id}@${`${version}`.padStart(10, '0')}`;
}

/** Makes the record of a version, which is written together with the passport. */
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

/** Returns a version as it is shown: the passport of that time, and who changed it. */
export function toPassportVersion(record: PassportVersionRecord): PassportVersion {
  const { changed_by, changed_at, passport } = record;
  return { ...toPassport(passport, changed_at), changed_by, changed_at };
}
