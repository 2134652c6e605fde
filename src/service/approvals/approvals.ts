/** The approvals of an account: persons are asked, and decide. */

import { decisionOf } from '../../base/async/decision-wait.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { APPROVAL_STATUSES, anyOf } from '../../base/values/vocabulary.ts';
import { type FieldError, IdentityError, refuseAny } from '../../errors.ts';
import type { ApprovalRecord } from '../../ports/stored-records.ts';
import type { Approval, ApprovalDecision } from '../../records/approval.ts';
import type { Page } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import { eventOf } from '../shared/outbox.ts';
import { limitErrors, type PageRequest, readPage } from '../shared/pages.ts';
import { recordsBy } from '../shared/record-lists.ts';
import { logChange } from '../shared/security-log.ts';
import { isSeen, type SpendCaller } from '../shared/seen.ts';
import { createSweep, type Sweep } from '../shared/sweep.ts';
import { untilWritten } from '../storage/store.ts';
import { type ApprovalPlanner, createApprovalPlanner } from './approval-plan.ts';
import { approvalStatusAt, changed, toApproval, toApprovalChanged } from './approval-record.ts';

/** A filter for approvals, and a page of them. */
export interface ApprovalQuery extends PageRequest {
  /** The status that they have now. */
  readonly status?: Approval['status'];
  /** The agent that asks. */
  readonly agent_id?: string;
}

/** Shows and decides approvals. `not_found` for an approval that the caller does not see. */
export interface Approvals {
  /** Lists approvals, newest first. A page may have fewer than `limit`, even none, with `has_more`. */
  list(query?: ApprovalQuery, options?: Actor & CallOptions): Promise<Page<Approval>>;
  /** Returns the present state. A key sees the approvals of its environment and its agents. */
  get(id: string, caller?: SpendCaller): Promise<Approval>;
  /**
   * Waits until a person has decided, on any node, or until the approval has expired; read its `status`. Rejects with
   * the reason of the signal, and with `overloaded` when the service closes.
   */
  wait(id: string, options?: SpendCaller & CallOptions): Promise<Approval>;
  /**
   * Lets the agent do exactly this intent once, until the approval expires. A repeated call returns the approval with
   * its first note. `conflict` for an approval that was rejected or has expired.
   */
  approve(id: string, decision?: ApprovalDecision, actor?: Actor): Promise<Approval>;
  /** Forbids the intent. `conflict` for an approval that was approved or has expired. */
  reject(id: string, decision?: ApprovalDecision, actor?: Actor): Promise<Approval>;
}

/** The approvals of a service, for its callers and its verdicts, with the verb that stops them. */
export interface OpenApprovals {
  readonly verbs: Approvals;
  /** The parts that verdicts need. */
  readonly parts: { readonly planApproval: ApprovalPlanner } & Pick<Hooks, 'tellAsked'>;
  stop(): Promise<void>;
}

/** Makes the approvals of one service. The hook receives each new approval. */
export function openApprovals(context: Context, { tellAsked }: Pick<Hooks, 'tellAsked'>): OpenApprovals {
  const expiries = createExpiries(context);
  const stopping = new AbortController();
  return {
    verbs: createApprovals(context, expiries, stopping.signal),
    parts: { planApproval: createApprovalPlanner(context, expiries), tellAsked },
    async stop() {
      stopping.abort(new IdentityError('overloaded', 'The service is stopping.'));
      await expiries.stop();
    },
  };
}

/** Makes the sweep that ends approvals that were not decided or used in time. */
function createExpiries(context: Context): Sweep {
  return createSweep(context, {
    collection: 'approvals',
    message: 'Approvals that are over could not be ended.',
    settle: async (record, at) => {
      const { changes } = changed(record, { status: 'expired' }, at);
      return (await context.store.write(...changes)).written;
    },
  });
}

function createApprovals(context: Context, expiries: Sweep, stopping: AbortSignal): Approvals {
  const { store, clockWatch } = context;

  async function decide(
    id: string,
    status: 'approved' | 'rejected',
    given: ApprovalDecision,
    actor: Actor,
  ): Promise<Approval> {
    const { note = null } = checkCopy<ApprovalDecision>('ApprovalDecision', given);
    const account_id = accountOf(context, actor);
    return untilWritten(async () => {
      const record = await store.get('approvals', id);
      if (record === undefined || !isSeen(context, record, { ...actor, account_id })) throw notFound();
      const at = await clockWatch.storeNow();
      const present = approvalStatusAt(record, at);
      if (present === status || (present === 'used' && status === 'approved')) return toApproval(record, at);
      if (present !== 'pending') throw new IdentityError('conflict', `The approval is ${present}.`);
      const changed_by = authorOf(context, actor);
      const decision = { status, decided_by: changed_by, decided_at: formatInstant(at), note };
      const { next, changes } = changed(record, decision, at);
      const shown = toApproval(next, at);
      const event = eventOf(context, 'approval.decided', {
        account_id,
        data: toApprovalChanged(shown, changed_by),
      });
      if (!(await store.write(...changes, event)).written) return undefined;
      logChange(context, `approval.${status}`, actor, { approval_id: id, agent_id: record.agent_id });
      return shown;
    });
  }

  async function get(id: string, caller: SpendCaller = {}): Promise<Approval> {
    const record = await store.get('approvals', id);
    if (record === undefined || !isSeen(context, record, caller)) throw notFound();
    return toApproval(record, await clockWatch.storeNow());
  }

  return {
    async list({ status, agent_id, ...page } = {}, options = {}) {
      refuseAny([...statusErrors(status), ...agentIdErrors(agent_id), ...limitErrors(page.limit)]);
      const account_id = accountOf(context, options);
      const at = await clockWatch.storeNow();
      // Expired approvals are stored as such before a list by status.
      if (status !== undefined) await expiries.run(at, { account_id }, 0);
      const by = agent_id !== undefined ? { agent_id } : status !== undefined ? { status } : {};
      const source = {
        query: ['approvals', account_id, status, agent_id],
        ...recordsBy(store, 'approvals', { account_id, ...by }),
        show: (record: ApprovalRecord) => toApproval(record, at),
      };
      const keep = (record: ApprovalRecord): boolean => approvalStatusAt(record, at) === status;
      return readPage(context, status === undefined ? source : { ...source, keep }, page, options);
    },

    get,
    wait(id, { signal, ...caller } = {}) {
      const ending = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
      return decisionOf({ read: () => get(id, caller), after: context.awaitedAfter, signal: ending });
    },

    approve: (id, decision = {}, actor = {}) => decide(id, 'approved', decision, actor),
    reject: (id, decision = {}, actor = {}) => decide(id, 'rejected', decision, actor),
  };
}

function statusErrors(status: string | undefined): readonly FieldError[] {
  if (status === undefined || APPROVAL_STATUSES.some((known) => known === status)) return [];
  const message = `This must be ${anyOf(APPROVAL_STATUSES)}.`;
  return [{ path: '/status', code: 'not_allowed', message }];
}

function notFound(): IdentityError {
  return new IdentityError('not_found', 'There is no such approval.');
}
