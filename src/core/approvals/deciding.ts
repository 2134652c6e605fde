import { formatInstant } from '../../base/values/instant.ts';
import { conflict, IdentityError, noSuch } from '../../errors.ts';
import type { Approval, ApprovalDecision } from '../../records/approval.ts';
import { checkCopy } from '../../schema/check.ts';
import { approvalDecisionSchema } from '../../schema/validators.generated.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { isSamePerson } from '../shared/people.ts';
import { logChange } from '../shared/security-log.ts';
import { isSeen } from '../shared/seen.ts';
import { untilWritten } from '../storage/store.ts';
import { approvalStatusAt, changed, storedRule, toApproval, toApprovalChanged } from './approval-record.ts';
import type { ApprovalRecord } from './collections.ts';
import { barOf, barredBy, haveApproved, stricterRule, takesAnyone } from './people-rule.ts';
import { decidersNow, presentDemand } from './present-people.ts';

export type Decide = (id: string, decision?: ApprovalDecision, actor?: Actor) => Promise<Approval>;

const MAX_DECISIONS = 10;

type Decided = Parameters<typeof changed>[1];

interface Decision {
  readonly author: string;
  /** `false` if no person is known for the author. */
  readonly isPerson: boolean;
  readonly at: number;
  readonly note: string | null;
}

export function createDeciding(
  context: Pick<
    Context,
    'store' | 'caches' | 'clock' | 'clockWatch' | 'nextEventName' | 'session' | 'auditDays' | 'log'
  >,
): { readonly approve: Decide; readonly reject: Decide } {
  const { store, clockWatch } = context;

  function decide(
    status: 'approved' | 'rejected',
    changeOf: (
      record: ApprovalRecord,
      decision: Decision,
    ) => Decided | undefined | Promise<Decided | undefined>,
  ): Decide {
    return async (id, decision = {}, actor = {}) => {
      const { note = null } = checkCopy<ApprovalDecision>(approvalDecisionSchema, decision);
      const account_id = accountOf(context, actor);
      return untilWritten(async () => {
        const record = await store.get('approvals', id);
        if (record === undefined || !isSeen(context, record, { ...actor, account_id }))
          throw noSuch('approval');
        const storeMs = await clockWatch.storeNow();
        const author = authorOf(context, actor);
        const next = await changeOf(record, { author, isPerson: isPerson(actor), at: storeMs, note });
        if (next === undefined) return toApproval(record, storeMs);
        const change = changed(record, next, storeMs);
        const shownApproval = toApproval(change.next, storeMs);
        const data = toApprovalChanged(shownApproval, author);
        const event = eventOf(context, 'approval.decided', { account_id, data });
        if (!(await store.write(...change.changes, event)).written) return undefined;
        logChange(context, `approval.${status}`, actor, { approval_id: id, agent_id: record.agent_id });
        return shownApproval;
      });
    };
  }

  async function approved(record: ApprovalRecord, decision: Decision): Promise<Decided | undefined> {
    const { author, at, note } = decision;
    const present = approvalStatusAt(record, at);
    const approvalsBefore = record.decisions;
    if (changesNothing(present, approvalsBefore, author)) return undefined;
    const demand = await presentDemand(context, record);
    const rule = stricterRule(storedRule(record), demand.rule);
    const kind = record.kind;
    const plain = takesAnyone(rule, kind);
    const { wideners, authors } = demand;
    const bars = barredBy(rule, { kind, askers: [record.requested_by], wideners, authors });
    if (!plain && !decision.isPerson) throw namelessPerson();
    const because = barOf(bars, author)?.because;
    if (because !== undefined) throw secondPerson(because);
    const decided_at = formatInstant(at);
    const decisions = [...approvalsBefore, { by: author, at: decided_at, note }];
    if (present === 'approved') return { status: present, decisions };
    // The role of this person was asked for with the request; those of the others may have changed since.
    const mayOthers = plain ? () => true : await decidersNow(context, record, approvalsBefore, false);
    const mayDecide = (decider: string) => decider === author || mayOthers(decider);
    return haveApproved({ rule, decisions, barred: bars, mayDecide })
      ? { status: 'approved', decisions, decided_by: author, decided_at, note }
      : { status: 'pending', decisions };
  }

  function rejected(record: ApprovalRecord, { author, at, note }: Decision): Decided | undefined {
    const present = approvalStatusAt(record, at);
    if (present === 'rejected') return undefined;
    if (present !== 'pending') throw isOver(present);
    return { status: 'rejected', decided_by: author, decided_at: formatInstant(at), note };
  }

  return { approve: decide('approved', approved), reject: decide('rejected', rejected) };
}

/** Says whether an author has approved already, or others have approved often enough. Throws if the approval is over. */
function changesNothing(
  present: Approval['status'],
  approvalsBefore: ApprovalRecord['decisions'],
  author: string,
): boolean {
  const isRepeated = approvalsBefore.some(({ by }) => isSamePerson(by, author));
  // A used one has its decisions: who repeats one may not know the answer to the first.
  if (present === 'used' && isRepeated) return true;
  if (present !== 'pending' && present !== 'approved') throw isOver(present);
  return isRepeated || approvalsBefore.length >= MAX_DECISIONS;
}

function isPerson({ operator, key_id, member_id }: Actor): boolean {
  return operator === true || ((key_id ?? null) === null && member_id !== undefined);
}

export function isOver(status: Approval['status']): IdentityError {
  return conflict(`The approval is ${status}. Ask for another.`);
}

const BARS = {
  requested: 'Another person has to approve: you asked for this.',
  widened:
    'Another person has to approve: you made the passport, or last changed it so that more may happen.',
  changed: 'Another person has to approve: you changed the passport since others last approved it.',
} as const;

function secondPerson(because: keyof typeof BARS): IdentityError {
  return new IdentityError('second_person_required', BARS[because], { details: { because } });
}

function namelessPerson(): IdentityError {
  const message = 'A person has to approve: name one, as { member_id }.';
  return new IdentityError('second_person_required', message);
}
