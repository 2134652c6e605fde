/**
 * The last reviewed version of a passport, and the authors since: the one that was made, or that approvers or the
 * operator of the storage have let pass. Where nobody has to approve, each change that lets more happen is one.
 */
import { isSameJson } from '../../base/values/same-json.ts';
import type { FieldDifference } from '../../records/approval.ts';
import type { PassportInput } from '../../records.ts';
import { fieldNames } from '../../schema/validators.generated.ts';
import type { Context } from '../shared/context.ts';
import type { PassportRecord } from './collections.ts';
import { toPassport, versionId } from './passport-record.ts';

/** A change that is stored: its author, and whether the version after it counts as reviewed. */
export interface StoredChange {
  readonly author: string;
  readonly isReviewed: boolean;
}

/** Returns the next version with the last one that was reviewed. */
export function withReview(
  before: PassportRecord,
  next: PassportRecord,
  { author, isReviewed }: StoredChange,
): PassportRecord {
  const { reviewed_version: _, authors: __, ...bare } = next;
  if (isReviewed) return bare;
  const authors = [...new Set([...(before.authors ?? []), author])];
  return { ...bare, reviewed_version: before.reviewed_version ?? before.version, authors };
}

/** Reads the last reviewed version; `undefined` if it is gone. */
export async function reviewedVersion(
  { store }: Pick<Context, 'store'>,
  before: PassportRecord,
): Promise<PassportRecord | undefined> {
  const { id, reviewed_version = null } = before;
  if (reviewed_version === null || reviewed_version === before.version) return before;
  return (await store.get('passport_versions', versionId(id, reviewed_version)))?.passport;
}

const FIELDS = fieldNames.PassportRequest as readonly (keyof PassportInput)[];

/** Returns the fields that differ, as they are shown. */
export function differenceBetween(before: PassportRecord, after: PassportRecord): readonly FieldDifference[] {
  const [one, other] = [before, after].map((record) => toPassport(record, record.updated_at));
  return FIELDS.map((field) => ({
    field,
    before: one?.[field] ?? null,
    after: other?.[field] ?? null,
  })).filter((shown) => !isSameJson(shown.before, shown.after));
}
