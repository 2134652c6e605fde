/** Issues passports: one, or many in one write. */

import { elementsOf } from '../../base/values/plain-data.ts';
import { IdentityError, type IdentityErrorCode, refuseAny, wrongField } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { PassportStanding } from '../../records/state.ts';
import type { Passport, PassportInput, PassportPatch } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { ApprovedUse, ChangeApprovals } from '../approvals/change-approvals.ts';
import type { ClaimDomain } from '../domains/rules.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context } from '../shared/context.ts';
import { futureErrors } from '../shared/future-instant.ts';
import type { Idempotency } from '../shared/idempotency.ts';
import { personBehind } from '../shared/seen.ts';
import { answered, groupSteps } from '../storage/step-groups.ts';
import { untilWritten } from '../storage/store.ts';
import type { ComparedChange } from './change-between.ts';
import type { PassportFields } from './collections.ts';
import { assertCreates, countStep, issuePassport, logIssued, planPassport } from './issue-passport.ts';
import { differenceBetween } from './passport-record.ts';
import { type CreateOptions, soundPassport } from './sound-passport.ts';
import type { DrawnPlaces, StatusSlots } from './status-slots.ts';

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

/** The parts of the service with which passports are issued. */
type IssuingNeeds = Pick<
  Context,
  | 'store'
  | 'clock'
  | 'nextEventName'
  | 'session'
  | 'plans'
  | 'allowLocalhost'
  | 'claimsDomains'
  | 'proofTerms'
  | 'provesDomains'
  | 'auditDays'
  | 'log'
>;

/** A passport to issue. */
export interface NewPassport {
  readonly input: PassportInput;
  /** The state of the first version; default: active. */
  readonly standing?: PassportStanding | undefined;
}

/** Issues many passports. Returns the passport or the error for each, in the same order. */
export type CreateAll = (
  passports: readonly NewPassport[],
  actor?: Actor,
) => Promise<readonly (Passport | IdentityError)[]>;

interface Parts {
  readonly claimDomain: ClaimDomain | undefined;
  readonly slots: StatusSlots;
  readonly create: (input: PassportInput, actor: Actor, options: CreateOptions) => Promise<Passport>;
}

/**
 * The maximum number of attempts to find free slots. After each attempt, at most half as many slots are still taken.
 */
const MAX_DRAWS = 20;

const OUTAGES: readonly IdentityErrorCode[] = ['internal', 'overloaded', 'storage_unavailable'];

/**
 * Creates the method that issues all passports in one write. If the write fails, the method tries each half, down to
 * single passports with their own errors.
 */
function createInOneWrite(context: IssuingNeeds, parts: Parts): CreateAll {
  async function issueAll(
    passports: readonly NewPassport[],
    actor: Actor,
  ): Promise<readonly (Passport | IdentityError)[]> {
    const [first, ...otherPassports] = passports;
    if (first === undefined) return [];
    if (otherPassports.length === 0) {
      const { input, standing } = first;
      return [await answerOf(() => parts.create(input, actor, { standing }))];
    }
    const together = await answerOf(() => issueTogether(context, parts, passports, actor));
    if (together !== undefined && !(together instanceof IdentityError)) return together;
    const half = Math.ceil(passports.length / 2);
    const answersBefore = await issueAll(passports.slice(0, half), actor);
    return [...answersBefore, ...(await issueAll(passports.slice(half), actor))];
  }

  return async (passports, actor = {}) => issueAll(elementsOf(passports) as NewPassport[], actor);
}

async function answerOf<Answer>(ask: () => Promise<Answer>): Promise<Answer | IdentityError> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof IdentityError) || OUTAGES.includes(error.code)) throw error;
    return error;
  }
}

/**
 * Issues all passports in one write. If one passport prevents the write, nothing is stored and the result is
 * `undefined`.
 */
async function issueTogether(
  context: IssuingNeeds,
  { claimDomain, slots }: Parts,
  passports: readonly NewPassport[],
  actor: Actor,
): Promise<readonly Passport[] | undefined> {
  const account_id = accountOf(context, actor);
  const sound = passports.map(({ input, standing }) => soundPassport(context, input, standing));
  const ownerOf = once((host: string) => context.store.get('domains', host));
  const plans = await Promise.all(
    sound.map((passport) => planPassport(context, { ...passport, account_id, actor, claimDomain, ownerOf })),
  );
  if (plans.length === 0) return [];
  // A domain is claimed once.
  const hosts = new Map(plans.toReversed().map((plan) => [plan.host, plan]));
  const changes: readonly Change[] = [
    ...[...hosts.values()].flatMap(({ claiming }) => claiming),
    ...plans.flatMap(({ steps }) => steps),
    countStep(context, { by: plans.length, account_id, actor }).count,
  ];
  const drawnPlaces = slots.placesFor(plans.map(({ record }) => record));
  if (!(await writeWithPlaces(context, changes, drawnPlaces))) return undefined;
  for (const plan of plans) {
    logIssued(context, actor, { ...plan, isNewClaim: plan.isNewClaim && hosts.get(plan.host) === plan });
  }
  return plans.map(({ shown }) => shown);
}

async function writeWithPlaces(
  { store }: Pick<Context, 'store'>,
  changes: readonly Change[],
  drawnPlaces: DrawnPlaces,
): Promise<boolean> {
  let places: DrawnPlaces | undefined = drawnPlaces;
  for (let draws = 0; draws < MAX_DRAWS && places !== undefined; draws += 1) {
    const write = groupSteps<'passports' | 'places'>(['passports', changes], ['places', places.steps]);
    const answer = answered(await store.write(...write.changes));
    if (answer.written) {
      places.keep();
      return true;
    }
    // Other slots would not help then.
    if (write.failed(answer).has('passports')) return false;
    places = places.redrawn(write.of('places', answer));
  }
  return false;
}

function once<Answer>(ask: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

// Checks the owner of a passport: a text, or the id of a member.

const MEMBER = /^mem_/;

export async function assertOwner(
  { store }: Pick<Context, 'store'>,
  { owner }: { readonly owner?: string | null },
  account_id: string,
): Promise<void> {
  if (typeof owner !== 'string' || !MEMBER.test(owner)) return;
  const member = await store.get('members', owner);
  if (member !== undefined && member.account_id === account_id && member.status !== 'removed') return;
  const message = `The account has no member ${owner}.`;
  throw wrongField('/owner', 'unknown', message);
}
