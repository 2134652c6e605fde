/** Issues a passport. One write stores its record, its first version, the claim of its domain and the count. */
import { formatAgentId, hostOf } from '../../base/values/agent-id.ts';
import { MAX_ANCESTORS } from '../../base/values/field-limits.ts';
import { IdentityError, wrongField } from '../../errors.ts';
import type { Change, WriteFailure } from '../../ports/storage.ts';
import type { PassportStanding } from '../../records/state.ts';
import type { Instant, Passport } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { DomainRecord } from '../domains/collections.ts';
import { newOwner } from '../domains/owner.ts';
import { assertIssuable, type ClaimDomain } from '../domains/rules.ts';
import { insufficient } from '../keys/key-record.ts';
import type { Actor } from '../shared/callers.ts';
import { authorOf, type Context, now, usageCounter } from '../shared/context.ts';
import type { Made, WriteOnce } from '../shared/idempotency.ts';
import { eventOf } from '../shared/outbox.ts';
import { logChange } from '../shared/security-log.ts';
import { isWithin, personBehind } from '../shared/seen.ts';
import { groupSteps } from '../storage/step-groups.ts';
import { insert } from '../storage/store.ts';
import type { PassportFields, PassportRecord, PassportState } from './collections.ts';
import { toPassport, versionOf } from './passport-record.ts';
import { standingState } from './sound-passport.ts';
import type { StatusSlots } from './status-slots.ts';

type Needs = Pick<
  Context,
  | 'store'
  | 'clock'
  | 'nextEventName'
  | 'session'
  | 'plans'
  | 'claimsDomains'
  | 'provesDomains'
  | 'auditDays'
  | 'log'
>;

export interface PassportToIssue {
  readonly fields: PassportFields;
  /** The state of the first version; default: active. */
  readonly standing: PassportStanding | undefined;
  readonly account_id: string;
  readonly actor: Actor;
  readonly claimDomain: ClaimDomain | undefined;
  readonly write: WriteOnce;
  readonly slots: StatusSlots;
}

export interface IssuePlan {
  readonly record: PassportRecord;
  readonly shown: Passport;
  readonly host: string;
  readonly isNewClaim: boolean;
  readonly claiming: readonly Change[];
  readonly steps: readonly Change[];
}

interface PassportToPlan extends Omit<PassportToIssue, 'write' | 'slots'> {
  readonly ownerOf?: (host: string) => Promise<DomainRecord | undefined>;
}

export async function planPassport(
  context: Needs,
  { fields, standing, account_id, actor, claimDomain, ownerOf }: PassportToPlan,
): Promise<IssuePlan> {
  assertCreates(actor, fields);
  await assertParent(context, fields, { account_id, isMoved: standing !== undefined });
  const created_at = now(context);
  const changed_by = authorOf(context, actor);
  const state = standingState(standing, { author: changed_by, at: created_at });
  const record = newPassport(fields, {
    account_id,
    created_at,
    state,
    widened_by: personBehind(context, actor),
  });
  const shownPassport = toPassport(record, created_at);
  const host = hostOf(fields.domain);
  const readOwner = ownerOf ?? ((name: string) => context.store.get('domains', name));
  const owner = context.claimsDomains ? await readOwner(host) : undefined;
  if (context.claimsDomains && actor.management !== undefined && owner?.account_id !== account_id)
    throw insufficient(`A member must claim the domain ${host} first.`);
  if (context.claimsDomains) await assertIssuable(context, { host, owner, actor, claimDomain });
  const isNewClaim = context.claimsDomains && owner === undefined;
  const domain = { id: host, account_id, version: 1, created_at, changed_at: null, changed_by: null };
  const claim = { account_id, data: { domain: host, changed_by } };
  const claiming: readonly Change[] = isNewClaim
    ? [...(await newOwner(context, domain)), eventOf(context, 'domain.claimed', claim)]
    : [{ op: 'claim', collection: 'domains', record: domain }];
  return {
    record,
    shown: shownPassport,
    host,
    isNewClaim,
    claiming: context.claimsDomains ? claiming : [],
    steps: passportSteps(context, record, changed_by),
  };
}

export function passportSteps(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  record: PassportRecord,
  changed_by: string,
): readonly Change[] {
  const { id: agent_id, account_id, version } = record;
  return [
    insert('passports', record),
    insert('passport_versions', versionOf(record, changed_by)),
    eventOf(context, 'passport.created', { account_id, data: { agent_id, version, changed_by } }),
  ];
}

export function assertCreates(actor: Actor, fields: PassportFields): void {
  if (actor.management === undefined) return;
  if (!isWithin(actor, formatAgentId(fields)))
    throw insufficient('The agent_id is outside the bounds of the management key.');
  const { parent_agent_id: parent } = fields;
  if (parent === undefined || isWithin(actor, parent)) return;
  const path = '/parent_agent_id';
  throw wrongField(path, 'not_allowed', mustBe(path));
}

export function countStep(
  context: Pick<Context, 'clock' | 'plans'>,
  { by, account_id, actor }: { readonly by: number; readonly account_id: string; readonly actor: Actor },
): { readonly count: Change; readonly max: number | null } {
  const max = actor.plan === undefined ? null : context.plans[actor.plan].passports;
  const counter = usageCounter('passports', account_id);
  return { count: { op: 'add', counter, by, at: now(context), ...(max !== null && { max }) }, max };
}

/**
 * Stores a new passport, and the claim of its domain; returns `undefined` if another account has just claimed the
 * domain.
 */
export async function issuePassport(
  context: Needs,
  { write, slots, ...parts }: PassportToIssue,
): Promise<Made<Passport> | undefined> {
  const plan = await planPassport(context, parts);
  const { record, shown, claiming, isNewClaim } = plan;
  const { count, max } = countStep(context, { ...parts, by: 1 });
  const result = { id: record.id, shown, repeatable: shown };
  const steps = groupSteps<'claim' | 'passport' | 'count'>(
    ['claim', claiming],
    ['passport', plan.steps],
    ['count', [count]],
  );
  const answer = await slots.writeWith(record, steps.changes, (changes) => write(result, changes));
  // The claim or its token was changed at the same moment.
  if (isNewClaim && steps.failed(answer).has('claim')) return undefined;
  if (!answer.written) throw notIssued(answer.failure, max);
  logIssued(context, parts.actor, plan);
  return result;
}

export function logIssued(
  context: Pick<Context, 'session' | 'log'>,
  actor: Actor,
  { record, host, isNewClaim }: IssuePlan,
): void {
  if (isNewClaim) logChange(context, 'domain.claimed', actor, { domain: host });
  logChange(context, 'passport.created', actor, { agent_id: record.id, version: 1 });
}

interface NewPassport {
  readonly account_id: string;
  readonly created_at: Instant;
  readonly state: PassportState;
  readonly widened_by: string | null;
}

export function newPassport(
  fields: PassportFields,
  { account_id, created_at, state, widened_by }: NewPassport,
): PassportRecord {
  const id = formatAgentId(fields);
  const widenedFields = { widened_by, widened_at: created_at };
  return {
    id,
    account_id,
    version: 1,
    created_at,
    updated_at: created_at,
    ...fields,
    ...state,
    ...widenedFields,
  };
}

function notIssued(failure: WriteFailure | undefined, max: number | null): IdentityError {
  switch (failure) {
    case 'claimed':
      return new IdentityError(
        'domain_claimed',
        'Another account issues passports for this domain. Verify that it is yours.',
      );
    case 'exists':
      return new IdentityError(
        'already_exists',
        'This agent_id was issued before. Choose another agent_name.',
      );
    case 'limit':
      return new IdentityError(
        'plan_limit_reached',
        `The plan allows ${max} passports. Ask for another plan.`,
      );
    default:
      return new IdentityError('internal', 'The passport could not be stored.');
  }
}

const PATH = '/parent_agent_id';

/**
 * Throws `invalid_request` if the parent agent is unknown, belongs to another account, is revoked or has too many
 * ancestors. A parent exists before its child and never changes, so no agent is its own ancestor.
 *
 * `isMoved` is `true` if the passport is imported from another service. Its parent may then be revoked. A child agent
 * of a revoked parent may do nothing.
 */
async function assertParent(
  context: Pick<Context, 'store'>,
  fields: PassportFields,
  { account_id, isMoved }: { readonly account_id: string; readonly isMoved: boolean },
): Promise<void> {
  const { parent_agent_id } = fields;
  if (parent_agent_id === undefined) return;
  const refuse = (message: string) => wrongField(PATH, 'not_allowed', message);
  const parent =
    parent_agent_id === formatAgentId(fields)
      ? undefined
      : await context.store.get('passports', parent_agent_id);
  // A passport of another account looks like one that does not exist.
  const isRefused = parent?.status === 'revoked' && !isMoved;
  if (parent?.account_id !== account_id || isRefused) throw refuse(mustBe(PATH));
  const recordsAbove = await ancestorsOf(context, parent);
  if (recordsAbove.length >= MAX_ANCESTORS)
    throw refuse(
      `An agent has at most ${MAX_ANCESTORS} agents above it, and this one has ${recordsAbove.length}.`,
    );
}

/** Reads the passports of the ancestors, nearest first. The list ends before a missing passport. */
export async function ancestorsOf(
  { store }: Pick<Context, 'store'>,
  { parent_agent_id }: Pick<PassportRecord, 'parent_agent_id'>,
): Promise<readonly PassportRecord[]> {
  const records: PassportRecord[] = [];
  let next = parent_agent_id;
  while (next !== undefined && records.length < MAX_ANCESTORS) {
    const record = await store.get('passports', next);
    if (record === undefined) break;
    records.push(record);
    next = record.parent_agent_id;
  }
  return records;
}
