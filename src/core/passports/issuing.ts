/** Issues passports: one, or many in one write. */

import { IdentityError, refuseAny, wrongField } from '../../errors.ts';
import type { Passport, PassportInput, PassportPatch } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { ApprovedUse, ChangeApprovals } from '../approvals/change-approvals.ts';
import type { ClaimDomain } from '../domains/rules.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context } from '../shared/context.ts';
import { futureErrors } from '../shared/future-instant.ts';
import type { Idempotency } from '../shared/idempotency.ts';
import { personBehind } from '../shared/seen.ts';
import { untilWritten } from '../storage/store.ts';
import type { ComparedChange } from './change-between.ts';
import type { PassportFields } from './collections.ts';
import { assertCreates, issuePassport } from './issue-passport.ts';
import { type CreateAll, createInOneWrite, type IssuingNeeds } from './issue-passports.ts';
import { assertOwner } from './owner.ts';
import { differenceBetween } from './passport-record.ts';
import { type CreateOptions, soundPassport } from './sound-passport.ts';
import type { StatusSlots } from './status-slots.ts';

export interface IssuingParts {
  readonly idempotency: Idempotency;
  readonly slots: StatusSlots;
  readonly claimDomain: ClaimDomain | undefined;
}

export interface PassportIssuing {
  readonly create: (input: PassportInput, options?: Actor & CreateOptions) => Promise<Passport>;
  readonly createAll: CreateAll;
}

export function createIssuing(
  context: IssuingNeeds,
  { idempotency, slots, claimDomain }: IssuingParts,
): PassportIssuing {
  async function issueOne(
    input: PassportInput,
    actor: Actor,
    { standing: givenStanding, ...options }: CreateOptions,
    demand: (fields: PassportFields) => void = () => {},
  ): Promise<Passport> {
    const { fields, standing, asked } = soundPassport(context, input, givenStanding);
    const account_id = accountOf(context, actor);
    // A repeated request tells a key no more than a first one.
    assertCreates(actor, fields);
    const request = { ...options, account_id, operation: 'passports.create', input: asked };
    const issue = { fields, standing, account_id, actor, claimDomain, slots };
    return idempotency.once<Passport>(request, async (write) => {
      demand(fields);
      // A passport that is moved here may name a member of another place.
      if (standing === undefined) await assertOwner(context, fields, account_id);
      return untilWritten(() => issuePassport(context, { ...issue, write }));
    });
  }

  // The look at an earlier answer comes first: a repeated request gets the same answer.
  const demandFuture = ({ expires_at }: PassportFields): void =>
    refuseAny(futureErrors(context, '/expires_at', expires_at));

  return {
    create: (input, options = {}) =>
      issueOne(input, options, options, options.standing === undefined ? demandFuture : undefined),
    // A passport that is moved here may have expired before.
    createAll: createInOneWrite(context, { claimDomain, slots, create: issueOne }),
  };
}

interface AskedChange {
  readonly compared: ComparedChange;
  readonly patch: PassportPatch;
  readonly actor: Actor;
  readonly approvalId: string | undefined;
}

/** Says whether the actor may only propose a change that lets more happen. */
function proposes({ management }: Actor): boolean {
  return management !== undefined && !management.scopes.includes('passports:write');
}

function nobodyBehind(): IdentityError {
  const message = 'A person must be behind this change. Use a key that a member created.';
  return new IdentityError('second_person_required', message, {
    details: { approval_id: null, expires_at: null },
  });
}

/**
 * Returns the approval to use up for a change. It is `undefined` if the change needs no approval, or the operator of
 * the storage makes the change.
 *
 * @throws {IdentityError} `second_person_required` if the change is not approved. The approval is then already
 * requested.
 */
export async function secondPerson(
  context: Pick<Context, 'session'>,
  approvals: ChangeApprovals,
  { compared, patch, actor, approvalId }: AskedChange,
): Promise<ApprovedUse | undefined> {
  const { before, after, since, whole: comparison, isWider } = compared;
  const isProposal = proposes(actor);
  if (actor.operator === true || !isWider) return undefined;
  if (before.approval?.changes !== true && !isProposal) return undefined;
  const difference = differenceBetween(since, after);
  const author = personBehind(context, actor);
  if (author === null) throw nobodyBehind();
  const changed_by = authorOf(context, actor);
  const change = {
    before,
    patch,
    since: since.version,
    difference,
    comparison,
    author,
    changed_by,
    isProposal,
  };
  if (approvalId === undefined) throw await approvals.request(change);
  return approvals.use(change, approvalId);
}

export function assertApprovalId(approvalId: unknown): void {
  if (approvalId === undefined || typeof approvalId === 'string') return;
  throw wrongField('/approvalId', 'wrong_type', mustBe('/approval_id'));
}
