/** Manages the passports of an account. Each id is issued once, and changed version by version. */

import type { Pages } from '../../base/pages.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import { ENVIRONMENTS } from '../../base/values/vocabulary.ts';
import { wrongField } from '../../errors.ts';
import type { RoomCode } from '../../operations/room-code.ts';
import type { EffectivePassport } from '../../records/effective.ts';
import type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from '../../records/state.ts';
import type {
  BudgetList,
  Environment,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportVersion,
  Verdict,
} from '../../records.ts';
import { check, checkCopy, type FieldCheck } from '../../schema/check.ts';
import { mustBe } from '../../schema/expected.ts';
import {
  passportPatchSchema,
  reinstateRequestSchema,
  revokeRequestSchema,
  suspendRequestSchema,
} from '../../schema/validators.generated.ts';
import { prepare } from '../../verdict/index.ts';
import type { ChangeApprovals } from '../approvals/change-approvals.ts';
import type { ClaimDomain } from '../domains/rules.ts';
import type { Actor, CallOptions } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, now } from '../shared/context.ts';
import { futureErrors, futureInstant } from '../shared/future-instant.ts';
import type { Idempotency, OnceOptions } from '../shared/idempotency.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { onlyAfter, recordsBy } from '../shared/record-lists.ts';
import type { Spending } from '../spending/spending.ts';
import {
  assertNarrower,
  assertTrue,
  compareChange,
  createTryPassport,
  evaluatedPassport,
  type TryInput,
  type TryParts,
} from './change-between.ts';
import type { PassportRecord } from './collections.ts';
import { inEffect } from './effective.ts';
import { ancestorsOf } from './issue-passport.ts';
import { assertApprovalId, assertOwner, type CreateAll, createIssuing, secondPerson } from './issuing.ts';
import { listPassports, type PassportQuery, readSightings, withSighting } from './list-passports.ts';
import { fieldErrors } from './passport-fields.ts';
import { assertChangeable, patchedRecord } from './passport-patch.ts';
import { NOT_SUSPENDED, toPassport, toPassportVersion } from './passport-record.ts';
import { assertVersion, assertWithin, changePassport, ownedPassport } from './passport-store.ts';
import type { CreateOptions } from './sound-passport.ts';
import type { StatusSlots } from './status-slots.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  | 'store'
  | 'caches'
  | 'clock'
  | 'random'
  | 'nextEventName'
  | 'seal'
  | 'session'
  | 'plans'
  | 'registration'
  | 'allowLocalhost'
  | 'claimsDomains'
  | 'logState'
  | 'proofTerms'
  | 'provesDomains'
  | 'auditDays'
  | 'log'
>;

/** The condition of an update. */
export interface UpdateOptions extends VersionOptions {
  /** Refuses a change that would let the agent do more: `would_widen`, with `change` in its details. */
  readonly ifNarrower?: true;
  /**
   * The id `apr_…` of an approval for exactly this change. The update uses the approval up, unless the change needs
   * none.
   */
  readonly approvalId?: string;
}

/** A filter for budgets. */
export interface BudgetQuery {
  /** The environment of the budgets; default `live`. */
  readonly environment?: Environment;
}

/** Manages the passports of an account. */
export interface Passports<Options = CallOptions> {
  /**
   * Issues a passport. The service checks for `invalid_request`, `domain_claimed`, `already_exists` and
   * `plan_limit_reached` in this order. On an error nothing is stored.
   *
   * @throws {IdentityError} `invalid_request` for a wrong input, also for an `expires_at` that is not in the future.
   * @throws {IdentityError} `domain_claimed` if another account owns the domain.
   * @throws {IdentityError} `already_exists` if the agent already has a passport.
   * @throws {IdentityError} `domain_unproven` if the domain must be verified first.
   * @throws {IdentityError} `plan_limit_reached` if the account has as many passports as its plan allows.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   */
  create(input: PassportInput, options?: Options & OnceOptions): Promise<Passport>;
  /**
   * Returns a passport.
   *
   * @throws {IdentityError} `not_found` if there is no such passport, or if it belongs to another account.
   */
  get(agentId: string, options?: Options): Promise<Passport>;
  /**
   * Lists passports, newest first. With the status `expired`, passports are listed by the end of their time, the
   * latest first.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter, limit or cursor.
   */
  list(query?: PassportQuery, options?: Options & CallOptions): Pages<Page<Passport>>;
  /**
   * Lists all versions in full, newest first, with their authors and instants.
   *
   * @throws {IdentityError} `not_found` as `get`.
   * @throws {IdentityError} `invalid_request` for a wrong limit or cursor.
   */
  versions(
    agentId: string,
    page?: PageRequest,
    options?: Options & CallOptions,
  ): Pages<Page<PassportVersion>>;
  /**
   * Applies a JSON Merge Patch. A patch that changes nothing makes no version.
   *
   * @throws {IdentityError} `not_found` as `get`.
   * @throws {IdentityError} `conflict` if the passport is revoked.
   * @throws {IdentityError} `second_person_required` if the passport has `approval.changes` and the patch lets more
   * happen. The error has the `approval_id` with which you apply the patch once other people have approved it.
   * @throws {IdentityError} `version_mismatch` if the passport has another version than `ifVersion`.
   * @throws {IdentityError} `would_widen` if `ifNarrower` is set and the patch lets more happen.
   * @throws {IdentityError} `invalid_request` for a wrong patch, `ifNarrower` or `approvalId`.
   */
  update(agentId: string, patch: PassportPatch, options?: Options & UpdateOptions): Promise<Passport>;
  /**
   * Returns the current budgets of a passport in the order of the passport, by default the budgets of `live`. First
   * refunds expired holds.
   *
   * @throws {IdentityError} `not_found` as `get`.
   * @throws {IdentityError} `invalid_request` for a wrong `environment`.
   */
  budgets(agentId: string, query?: BudgetQuery, options?: Options): Promise<BudgetList>;
  /**
   * Returns the intersection of the passport and its ancestors, for people to read.
   *
   * @throws {IdentityError} `not_found` as `get`.
   */
  effective(agentId: string, options?: Options & CallOptions): Promise<EffectivePassport>;
  /**
   * Returns the verdict on an intent by the passport as it is, or after a patch. Stores and records nothing.
   *
   * @throws {IdentityError} `not_found` as `get`.
   * @throws {IdentityError} `invalid_request` for a wrong patch, with paths that begin with `/patch`.
   * @throws {IdentityError} `conflict` as `update`.
   */
  try(agentId: string, input: TryInput, options?: Options): Promise<Verdict>;
}

/** The methods of passports for calls in the same process. */
export interface HostPassports extends Passports<Actor> {
  create(input: PassportInput, options?: Actor & CreateOptions): Promise<Passport>;
  /**
   * Issues several passports, if possible in one write, and returns each result in order. A write of 512 passports
   * takes a fraction of a second. Use several calls for more. Rejects if the storage is unreachable; some passports may
   * be stored then.
   */
  readonly createAll: CreateAll;
}

/** The parts that issue and evaluate passports. */
export interface PassportsParts extends TryParts {
  readonly claimDomain: ClaimDomain | undefined;
  readonly idempotency: Idempotency;
  readonly spending: Pick<Spending, 'report' | 'trial'>;
  readonly slots: StatusSlots;
  readonly changeApprovals: ChangeApprovals;
}

export function createPassports(context: Needs, parts: PassportsParts): RoomCode<HostPassports> {
  const { spending } = parts;
  const { store } = context;

  return {
    ...createIssuing(context, parts),

    async get(agentId, actor = {}) {
      const record = await ownedPassport(context, agentId, actor);
      const seenSightings = await readSightings(context, [record.id]);
      return withSighting(toPassport(record, now(context)), seenSightings);
    },

    list: (query = {}, options = {}) => listPassports(context, query, options),

    async versions(agentId, page = {}, options = {}) {
      const readOwned = () => ownedPassport(context, agentId, options);
      const source = {
        query: ['passport_versions', agentId],
        ...onlyAfter(readOwned, recordsBy(store, 'passport_versions', { agent_id: agentId })),
        show: toPassportVersion,
      };
      return readPage(context, source, page, options);
    },

    async update(agentId, givenPatch, { ifVersion, ifNarrower, approvalId, ...actor } = {}) {
      assertTrue(ifNarrower);
      assertApprovalId(approvalId);
      const fieldCheck: FieldCheck = (input) => fieldErrors(input, context);
      const patch = checkCopy<PassportPatch>(passportPatchSchema, givenPatch, fieldCheck);
      await assertOwner(context, patch, accountOf(context, actor));
      const event = 'passport.updated';
      const compareRecords = async (recordBefore: PassportRecord, recordAfter: PassportRecord) => {
        const comparedChange = await compareChange(
          context,
          { before: recordBefore, after: recordAfter },
          parts.rules,
        );
        if (ifNarrower === true) assertNarrower(comparedChange.step, comparedChange.whole);
        const question = { compared: comparedChange, patch, actor, approvalId };
        const approvedUse = await secondPerson(context, parts.changeApprovals, question);
        return { result: comparedChange.result, isWider: comparedChange.isWider, approved: approvedUse };
      };
      const changedRecord = await changePassport(
        context,
        { event, agentId, actor, compared: compareRecords },
        (record) => {
          assertChangeable(record);
          assertVersion(record, ifVersion);
          return patchedRecord(record, patch, context);
        },
      );
      return toPassport(changedRecord, now(context));
    },

    async effective(agentId, options = {}) {
      const record = await ownedPassport(context, agentId, options);
      const recordsAbove = await ancestorsOf(context, record);
      assertWithin(options, recordsAbove);
      return inEffect(record, recordsAbove, now(context), options);
    },

    budgets: (agentId, query = {}, actor = {}) => readBudgets(context, spending, { agentId, query, actor }),

    try: createTryPassport(context, parts),
  };
}

async function readBudgets(
  context: Pick<Context, 'store' | 'session'>,
  spending: Pick<Spending, 'report'>,
  { agentId, query, actor }: { readonly agentId: string; readonly query: BudgetQuery; readonly actor: Actor },
): Promise<BudgetList> {
  const { environment = 'live' } = query;
  if (!ENVIRONMENTS.includes(environment)) {
    throw wrongField('/environment', 'not_allowed', mustBe('/environment'));
  }
  const record = await ownedPassport(context, agentId, actor);
  const root = (await ancestorsOf(context, record)).at(-1) ?? record;
  return { data: await spending.report(prepare(evaluatedPassport(record)), root.id, environment) };
}

// Revokes passports permanently, and suspends and reinstates them.

/** The condition of a change. */
export interface VersionOptions {
  /**
   * Changes the passport only if it has one of these versions, and throws `version_mismatch` otherwise. Absent: any
   * version.
   */
  readonly ifVersion?: readonly number[];
}

/** Revokes, suspends and reinstates passports. */
export interface StateChanges<Options = CallOptions> {
  /**
   * Revokes a passport permanently. A repeated call returns the first reason and instant.
   *
   * @throws {IdentityError} `not_found` if the caller has no such passport.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  revoke(input: RevokeInput, options?: Options): Promise<Revocation>;
  /**
   * Suspends a passport. A second suspension replaces the first.
   *
   * @throws {IdentityError} `not_found` if the caller has no such passport.
   * @throws {IdentityError} `conflict` if the passport is revoked.
   * @throws {IdentityError} `version_mismatch` if the passport has another version than `ifVersion`.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  suspend(input: SuspendInput, options?: Options & VersionOptions): Promise<Suspension>;
  /**
   * Ends a suspension. An active passport stays as it is.
   *
   * @throws {IdentityError} `not_found` if the caller has no such passport.
   * @throws {IdentityError} `conflict` if the passport is revoked.
   * @throws {IdentityError} `version_mismatch` if the passport has another version than `ifVersion`.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  reinstate(input: ReinstateInput, options?: Options & VersionOptions): Promise<Reinstatement>;
}

export function createRevocation(
  context: Pick<Context, 'store' | 'clock' | 'nextEventName' | 'session' | 'auditDays' | 'log'>,
): StateChanges<Actor> {
  return {
    async revoke(input, actor = {}) {
      const { agent_id, reason } = check<RevokeInput>(revokeRequestSchema, input);
      const subject = { event: 'passport.revoked', agentId: agent_id, actor } as const;
      const passport = await changePassport(context, subject, (record, revoked_at) =>
        record.status === 'revoked'
          ? undefined
          : {
              ...record,
              status: 'revoked',
              revoked_at,
              revoked_by: authorOf(context, actor),
              revocation_reason: reason ?? null,
            },
      );
      return {
        agent_id,
        status: 'revoked',
        reason: passport.revocation_reason,
        revoked_at: passport.revoked_at ?? passport.updated_at,
      };
    },

    async suspend(givenInput, { ifVersion, ...actor } = {}) {
      const {
        agent_id,
        reason = null,
        until,
      } = check<SuspendInput>(suspendRequestSchema, givenInput, (input) =>
        futureErrors(context, '/until', input['until']),
      );
      const suspended_until = until === undefined ? null : futureInstant(context, '/until', until);
      const subject = { event: 'passport.suspended', agentId: agent_id, actor } as const;
      await changePassport(context, subject, (record) => {
        assertOpen(record, ifVersion);
        const isSame =
          record.status === 'suspended' &&
          record.suspended_until === suspended_until &&
          record.suspension_reason === reason;
        if (isSame) return undefined;
        const suspended_by = authorOf(context, actor);
        return { ...record, status: 'suspended', suspended_until, suspended_by, suspension_reason: reason };
      });
      return { agent_id, status: 'suspended', reason, suspended_until };
    },

    async reinstate(input, { ifVersion, ...actor } = {}) {
      const { agent_id } = check<ReinstateInput>(reinstateRequestSchema, input);
      const subject = { event: 'passport.reinstated', agentId: agent_id, actor } as const;
      const passport = await changePassport(context, subject, (record) => {
        assertOpen(record, ifVersion);
        if (record.status === 'active') return undefined;
        return { ...record, status: 'active', ...NOT_SUSPENDED };
      });
      return { agent_id, status: statusAt(passport, now(context)) };
    },
  };
}

function assertOpen(record: PassportRecord, ifVersion: VersionOptions['ifVersion']): void {
  assertChangeable(record);
  assertVersion(record, ifVersion);
}
