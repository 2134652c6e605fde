/** Reads and decides the approvals of an account. */

import { decisionOf } from '../../base/async/decision-wait.ts';
import type { Pages } from '../../base/pages.ts';
import { APPROVAL_STATUSES, anyOf, DECIDING_ROLES } from '../../base/values/vocabulary.ts';
import { type FieldError, IdentityError, noSuch, refuseAny } from '../../errors.ts';
import type { RoomCode } from '../../operations/room-code.ts';
import type { Approval, ApprovalDecision } from '../../records/approval.ts';
import type { Page } from '../../records.ts';
import type { MemberRecord } from '../members/collections.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import type { CallOptions } from '../shared/callers.ts';
import { accountOf, type Context, OPERATOR } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import { limitErrors, type PageRequest, readPage } from '../shared/pages.ts';
import { firstMemberId } from '../shared/people.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { isBound, isSeen, isWithin, type SpendCaller } from '../shared/seen.ts';
import { createSweep, type Sweep } from '../shared/sweep.ts';
import { type ApprovalPlanner, createApprovalPlanner } from './approval-plan.ts';
import { approvalStatusAt, changed, toApproval } from './approval-record.ts';
import { type ChangeApprovals, createChangeApprovals } from './change-approvals.ts';
import type { ApprovalRecord } from './collections.ts';
import { createDeciding, presentDemand } from './deciding.ts';
import { barOf, barredBy, countPersons, stricterRule, takesAnyone } from './people-rule.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  | 'store'
  | 'caches'
  | 'clock'
  | 'clockWatch'
  | 'nextEventName'
  | 'seal'
  | 'session'
  | 'auditDays'
  | 'after'
  | 'awaitedAfter'
  | 'log'
>;

/** A filter for approvals, and a page of them. */
export interface ApprovalQuery extends PageRequest {
  /** The present status of the approvals. */
  readonly status?: Approval['status'];
  /** The agent that needs the approval. */
  readonly agent_id?: string;
}

/** Reads and decides approvals. */
export interface Approvals<Options = CallOptions> {
  /**
   * Lists approvals, newest first. A page may have fewer than `limit` approvals, even none, although `has_more` is
   * true.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter, limit or cursor.
   */
  list(query?: ApprovalQuery, options?: Options & CallOptions): Pages<Page<Approval>>;
  /**
   * Returns the present state. An API key sees the approvals of its environment and its agents.
   *
   * @throws {IdentityError} `not_found` if the caller cannot see the approval.
   */
  get(id: string, options?: Options): Promise<Approval>;
  /**
   * Waits until people have decided, through any node, or the approval has expired. Read the `status` of the result.
   * Rejects with the reason of the signal.
   *
   * @throws {IdentityError} `not_found` if the caller cannot see the approval.
   * @throws {IdentityError} `overloaded` if the service closes.
   */
  wait(id: string, options?: Options & CallOptions): Promise<Approval>;
  /**
   * Adds the approval of the actor. Once enough people have approved, the agent may do exactly this intent once, or the
   * change may be applied, until the approval expires. A repeated call by the same person changes nothing, even after
   * the approval was used.
   *
   * @throws {IdentityError} `not_found` if the caller cannot see the approval.
   * @throws {IdentityError} `conflict` if the approval was rejected, has expired or was used without this person.
   * @throws {IdentityError} `second_person_required` if the approval of the actor does not count. `because` in the
   * details names the cause.
   * @throws {IdentityError} `invalid_request` for a wrong `decision`.
   */
  approve(id: string, decision?: ApprovalDecision, options?: Options): Promise<Approval>;
  /**
   * Rejects the intent or the change.
   *
   * @throws {IdentityError} `not_found` if the caller cannot see the approval.
   * @throws {IdentityError} `conflict` if the approval was approved or has expired.
   * @throws {IdentityError} `invalid_request` for a wrong `decision`.
   */
  reject(id: string, decision?: ApprovalDecision, options?: Options): Promise<Approval>;
}

/** The approvals of a service, for its callers and its verdicts. `stop` ends the expiry of approvals. */
export interface OpenApprovals {
  readonly methods: RoomCode<Approvals<SpendCaller>>;
  /** The parts that verdicts need. */
  readonly parts: { readonly planApproval: ApprovalPlanner } & Pick<Hooks, 'tellAsked'>;
  /** The part that changes of passports need. */
  readonly changeApprovals: ChangeApprovals;
  stop(): Promise<void>;
}

/** Creates the approvals of a service. `tellAsked` receives each new approval. */
export function openApprovals(context: Needs, { tellAsked }: Pick<Hooks, 'tellAsked'>): OpenApprovals {
  const expiries = createExpiries(context);
  const stopping = new AbortController();
  return {
    methods: createApprovals(context, expiries, stopping.signal),
    parts: { planApproval: createApprovalPlanner(context, expiries), tellAsked },
    changeApprovals: createChangeApprovals(context, { expiries, tellAsked }),
    async stop() {
      stopping.abort(new IdentityError('overloaded', 'The service is stopping. Try again.'));
      await expiries.stop();
    },
  };
}

function createExpiries(context: Needs): Sweep {
  return createSweep(context, {
    collection: 'approvals',
    message: 'Expired approvals could not be ended. The service tries again.',
    settle: async (record, { at, signal }) => {
      const { changes } = changed(record, { status: 'expired' }, at);
      return (await context.store.writeUnless(signal, ...changes)).written;
    },
  });
}

function createApprovals(
  context: Needs,
  expiries: Sweep,
  stopping: AbortSignal,
): RoomCode<Approvals<SpendCaller>> {
  const { store, clockWatch } = context;

  async function read(id: string, caller: SpendCaller): Promise<readonly [Approval, account_id: string]> {
    const record = await store.get('approvals', id);
    // A key is that of an agent, which learns nothing of changes of its passport.
    const isHidden = record?.kind === 'change' && caller.scopes !== undefined;
    if (record === undefined || isHidden || !isSeen(context, record, caller)) throw noSuch('approval');
    return [toApproval(record, await clockWatch.storeNow()), record.account_id];
  }

  async function get(id: string, caller: SpendCaller = {}): Promise<Approval> {
    const [approval, account_id] = await read(id, caller);
    return missingApprovers(context, account_id)(approval);
  }

  return {
    async list({ status, agent_id, ...page } = {}, options = {}) {
      refuseAny([...statusErrors(status), ...agentIdErrors(agent_id), ...limitErrors(page.limit)]);
      const account_id = accountOf(context, options);
      const present = await clockWatch.present();
      const { at } = present;
      // Expired approvals are stored as such before a list by status.
      if (status !== undefined) await expiries.run(present, { account_id }, 0);
      const filter = agent_id !== undefined ? { agent_id } : status !== undefined ? { status } : {};
      const source = {
        query: ['approvals', account_id, status, agent_id],
        ...recordsBy(store, 'approvals', { account_id, ...filter }),
        show: (record: ApprovalRecord) => toApproval(record, at),
      };
      const keep = (record: ApprovalRecord): boolean =>
        isWithin(options, record.agent_id) &&
        (status === undefined || approvalStatusAt(record, at) === status);
      const foundPage = await readPage(
        context,
        status === undefined && !isBound(options) ? source : { ...source, keep },
        page,
        options,
      );
      return {
        ...foundPage,
        data: await Promise.all(foundPage.data.map(missingApprovers(context, account_id))),
      };
    },

    get,
    wait(id, { signal, ...caller } = {}) {
      const ending = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
      return decisionOf({
        read: async () => (await read(id, caller))[0],
        after: context.awaitedAfter,
        signal: ending,
      });
    },

    ...createDeciding(context),
  };
}

function statusErrors(status: string | undefined): readonly FieldError[] {
  if (status === undefined || APPROVAL_STATUSES.some((knownStatus) => knownStatus === status)) return [];
  const message = `This must be ${anyOf(APPROVAL_STATUSES)}.`;
  return [{ path: '/status', code: 'not_allowed', message }];
}

type AddMissing = (approval: Approval) => Promise<Approval>;

const PAGE = 100;
/**
 * The number of approvers at which counting stops. An approval needs a few people, and excludes the authors of the
 * passport since the last approval. No passport has had as many such authors as this number.
 */
const ENOUGH = 100;

/**
 * Creates the function that adds `missing_approvers` to the approvals of an account. It reads the members once, at the
 * first pending approval.
 */
function missingApprovers(context: Pick<Context, 'store' | 'caches'>, account_id: string): AddMissing {
  let reading: Promise<ReadonlySet<string> | undefined> | undefined;
  return async (approval) => {
    if (approval.status !== 'pending') return approval;
    reading ??= approversOf(context, account_id);
    const approvers = await reading;
    if (approvers === undefined || approvers.size >= ENOUGH) return approval;
    const missing = await missingFor(context, { ...approval, account_id }, approvers);
    return missing > 0 ? { ...approval, missing_approvers: missing } : approval;
  };
}

async function missingFor(
  context: Pick<Context, 'caches'>,
  approval: Approval & { readonly account_id: string },
  approvers: ReadonlySet<string>,
): Promise<number> {
  const { kind, needed, by, decisions, requested_by } = approval;
  const demand = await presentDemand(context, approval as unknown as ApprovalRecord);
  const rule = stricterRule({ needed, by }, demand.rule);
  const { wideners, authors } = demand;
  const bars = barredBy(rule, { kind, askers: [requested_by], wideners, authors });
  const plain = takesAnyone(rule, kind);
  const mayDecide = (author: string): boolean =>
    plain || author === OPERATOR || approvers.has(firstMemberId(author));
  const otherApprovers = [...approvers].filter((id) => plain || barOf(bars, id) === undefined);
  const instant = approval.created_at;
  const people = [...decisions, ...otherApprovers.map((id) => ({ by: id, at: instant, note: null }))];
  return rule.needed - countPersons({ decisions: people, barred: plain ? [] : bars, mayDecide });
}

/**
 * Returns the members who may decide; `undefined` for an account without members, for which the application decides.
 */
async function approversOf(
  context: Pick<Context, 'store'>,
  account_id: string,
): Promise<ReadonlySet<string> | undefined> {
  const foundIds = new Set<string>();
  const filter = { account_id, status: 'active' };
  let count = 0;
  const note = ({ id, role }: MemberRecord): void => {
    count += 1;
    if (DECIDING_ROLES.includes(role)) foundIds.add(id);
  };
  for await (const member of everyRecord(recordsBy(context.store, 'members', filter), PAGE)) {
    note(member);
    if (foundIds.size >= ENOUGH) return foundIds;
  }
  return count === 0 ? undefined : foundIds;
}
