import { APPROVAL_BY, APPROVAL_COUNT } from '../../base/values/approval.ts';
import { PROOF_REQUIREMENTS } from '../../base/values/vocabulary.ts';
import { IdentityError, noSuch } from '../../errors.ts';
import type { ComparisonResult } from '../../records/comparison.ts';
import type { EventType } from '../../records/event.ts';
import type { Instant } from '../../records.ts';
import { trustsMore } from '../../verdict/compare/trusted-issuers.ts';
import type { ApprovedUse } from '../approvals/change-approvals.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, nowAfter } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { logChange } from '../shared/security-log.ts';
import { isWithin, personBehind } from '../shared/seen.ts';
import { insert, isStored, replace, untilWritten } from '../storage/store.ts';
import type { PassportRecord, StoredApprovalRequirement } from './collections.ts';
import { versionOf, withReview } from './passport-record.ts';

const WHOLE_ID = 'An agent_id is a DID such as did:web:shop.example:agents:shopper.';

/**
 * Returns the passport.
 *
 * @throws {IdentityError} `not_found` if the passport is missing, belongs to another account, or the key may not see
 * it.
 */
export async function ownedPassport(
  context: Pick<Context, 'store' | 'session'>,
  agentId: string,
  actor: Actor,
): Promise<PassportRecord> {
  const account_id = accountOf(context, actor);
  const record = await context.store.get('passports', agentId);
  if (record !== undefined && record.account_id === account_id && isWithin(actor, agentId)) return record;
  if (agentId.startsWith('did:')) throw noSuch('passport');
  throw new IdentityError('not_found', WHOLE_ID);
}

export function assertVersion({ version }: PassportRecord, versions: readonly number[] | undefined): void {
  if (versions === undefined || versions.includes(version)) return;
  throw new IdentityError('version_mismatch', `The passport is at version ${version}. Read it again.`);
}

export function assertWithin(actor: Actor, passports: Iterable<PassportRecord>): void {
  for (const { id } of passports) if (!isWithin(actor, id)) throw noSuch('passport');
}

export type PassportEvent = Exclude<Extract<EventType, `passport.${string}`>, 'passport.purged'>;

export interface PassportChange {
  readonly event: PassportEvent;
  readonly agentId: string;
  readonly actor: Actor;
  /** Compares the stored version with the next one. Throws if the next version must not replace the stored one. */
  readonly compared?: (record: PassportRecord, next: PassportRecord) => Promise<ComparedVersions>;
}

export interface ComparedVersions {
  readonly result: ComparisonResult;
  readonly isWider: boolean;
  readonly approved: ApprovedUse | undefined;
}

/**
 * Applies `change` to the newest version, and again if another process changed the passport meanwhile. If `change`
 * returns `undefined`, stores nothing and returns the present version. Stores the version record in the same write. No
 * version has an earlier instant than the version before it.
 */
export async function changePassport(
  context: Pick<Context, 'store' | 'clock' | 'nextEventName' | 'session' | 'auditDays' | 'log'>,
  { event, agentId, actor, compared }: PassportChange,
  change: (record: PassportRecord, instant: Instant) => PassportRecord | undefined,
): Promise<PassportRecord> {
  return untilWritten(async () => {
    const record = await ownedPassport(context, agentId, actor);
    const updated_at = nowAfter(context, record.updated_at);
    const changedRecord = change(record, updated_at);
    if (changedRecord === undefined) return record;
    const changed_by = authorOf(context, actor);
    const whole = { ...changedRecord, version: record.version + 1, updated_at };
    const { result: word, isWider, approved } = (await compared?.(record, whole)) ?? {};
    const isWidened = word !== undefined && widens(record, whole, word);
    const person = personBehind(context, actor);
    const widened_by = approved?.requested_by ?? person;
    const isReviewed = isWider === true || approved !== undefined || actor.operator === true;
    const reviewedRecord =
      word === undefined ? whole : withReview(record, whole, { author: person ?? changed_by, isReviewed });
    const next = isWidened ? { ...reviewedRecord, widened_by, widened_at: updated_at } : reviewedRecord;
    const { id: agent_id, account_id, version } = next;
    const data = { agent_id, version, changed_by, ...(word !== undefined && { change: word }) };
    const result = await context.store.write(
      replace('passports', next, record.version),
      insert('passport_versions', versionOf(next, changed_by)),
      eventOf(context, event, { account_id, data }),
      ...(approved?.changes ?? []),
    );
    if (!isStored(result)) return undefined;
    logChange(context, event, actor, { agent_id: agentId, version: next.version });
    return next;
  });
}

/**
 * Returns `true` if `widened_by` of the passport becomes the author of the change. This happens if the change lets more
 * happen. It also happens if the passport has no `widened_by` and now requires another person as approver.
 */
export function widens(
  recordBefore: PassportRecord,
  recordAfter: PassportRecord,
  result: ComparisonResult,
): boolean {
  const isFirst = (recordBefore.widened_by ?? null) === null;
  const isBarred = isAnother(recordAfter.approval) && !isAnother(recordBefore.approval);
  return letsMoreHappen(recordBefore, recordAfter, result) || (isFirst && isBarred);
}

/**
 * Returns `true` if a change lets the agent do more. The comparison is then `wider` or `crossing`, or the rules on who
 * may act or approve become weaker.
 */
export function letsMoreHappen(
  recordBefore: PassportRecord,
  recordAfter: PassportRecord,
  result: ComparisonResult,
): boolean {
  if (result === 'wider' || result === 'crossing') return true;
  if (trustsMore(recordAfter.trusted_issuers, recordBefore.trusted_issuers)) return true;
  return (
    hasNewKey(recordBefore, recordAfter) ||
    proofOf(recordAfter) < proofOf(recordBefore) ||
    hasWeakerPeople(recordBefore, recordAfter)
  );
}

function hasNewKey(recordBefore: PassportRecord, recordAfter: PassportRecord): boolean {
  const knownNames = new Set((recordBefore.public_keys ?? []).map(({ kid }) => kid));
  return (recordAfter.public_keys ?? []).some(({ kid }) => !knownNames.has(kid));
}

function proofOf({ proof = 'optional' }: PassportRecord): number {
  return PROOF_REQUIREMENTS.indexOf(proof);
}

function hasWeakerPeople(
  { approval: requirementBefore }: PassportRecord,
  { approval: requirementAfter }: PassportRecord,
): boolean {
  return (
    countOf(requirementAfter) < countOf(requirementBefore) ||
    (isAnother(requirementBefore) && !isAnother(requirementAfter)) ||
    (requirementBefore?.changes === true && requirementAfter?.changes !== true)
  );
}

function countOf(approval: StoredApprovalRequirement | undefined): number {
  return approval?.count ?? APPROVAL_COUNT.default;
}

function isAnother(approval: StoredApprovalRequirement | undefined): boolean {
  return approval?.by === APPROVAL_BY[1];
}
