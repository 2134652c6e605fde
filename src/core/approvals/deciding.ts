import { formatInstant } from '../../base/values/instant.ts';
import { DECIDING_ROLES } from '../../base/values/vocabulary.ts';
import { conflict, IdentityError, noSuch } from '../../errors.ts';
import type { Approval, ApprovalDecision, GivenApproval } from '../../records/approval.ts';
import type { Intent } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import { approvalDecisionSchema } from '../../schema/validators.generated.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { approvalAsked } from '../../verdict/takings.ts';
import type { MemberRecord } from '../members/collections.ts';
import { memberOf } from '../members/members.ts';
import type { PassportRecord } from '../passports/collections.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, OPERATOR } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { firstMemberId, isSamePerson } from '../shared/people.ts';
import { logChange } from '../shared/security-log.ts';
import { isSeen } from '../shared/seen.ts';
import type { KnownPassport } from '../storage/caches.ts';
import { untilWritten } from '../storage/store.ts';
import { approvalStatusAt, changed, storedRule, toApproval, toApprovalChanged } from './approval-record.ts';
import type { ApprovalRecord } from './collections.ts';
import {
  barOf,
  barredBy,
  haveApproved,
  type PeopleRule,
  PLAIN_RULE,
  stricterRule,
  takesAnyone,
} from './people-rule.ts';

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

// Finds the present requirements of the passports for an approval, and the people who may decide now.

interface PresentDemand {
  readonly rule: PeopleRule;
  readonly wideners: readonly (string | null)[];
  readonly authors: readonly string[];
}

/**
 * Returns the requirements of the passports for an intent. If no passport requires approval now, only the requirements
 * stored with the approval count.
 */
export function demandOnIntent(passports: readonly PreparedPassport[], intent: Intent): PresentDemand {
  const approval = approvalAsked(passports, intent);
  if (approval === undefined) return { rule: PLAIN_RULE, wideners: [], authors: [] };
  const { count, another, passports: asking } = approval;
  const rule: PeopleRule = { needed: count, by: another ? 'another' : 'anyone' };
  return { rule, wideners: asking.map(widenerOf), authors: [] };
}

export function demandOnChange({
  approval,
  widened_by = null,
  authors = [],
}: Pick<Partial<PassportRecord>, 'approval' | 'widened_by' | 'authors'>): PresentDemand {
  const { count = PLAIN_RULE.needed, by = PLAIN_RULE.by } = approval ?? {};
  return { rule: { needed: count, by }, wideners: [widened_by], authors };
}

/** Returns the passport with its stored fields, such as its authors, which the type of prepared passports leaves out. */
function storedIn({ passport }: PreparedPassport): Partial<PassportRecord> {
  return passport as Partial<PassportRecord>;
}

function widenerOf(passport: PreparedPassport): string | null {
  return storedIn(passport).widened_by ?? null;
}

export async function presentDemand(
  context: Pick<Context, 'caches'>,
  record: ApprovalRecord,
): Promise<PresentDemand> {
  const { passports: cache, monotonic } = context.caches;
  const passports: PreparedPassport[] = [];
  let next: string | undefined = record.agent_id;
  while (next !== undefined) {
    const passport: KnownPassport | undefined = (await cache.load(next, monotonic())).value;
    if (passport === undefined || passport.account_id !== record.account_id) break;
    passports.push(passport.prepared);
    next = record.kind === 'change' ? undefined : passport.parent_agent_id;
  }
  const [ownPassport] = passports;
  if (ownPassport === undefined) return { rule: PLAIN_RULE, wideners: [], authors: [] };
  return record.kind === 'change'
    ? demandOnChange(storedIn(ownPassport))
    : demandOnIntent(passports, record.intent as unknown as Intent);
}

/**
 * Says for each author of a decision whether the author may decide now. An author must be an active member with a
 * deciding role. With `takesAny`, an author without a member counts too.
 */
export async function decidersNow(
  context: Pick<Context, 'store'>,
  { account_id }: { readonly account_id: string },
  decisions: readonly GivenApproval[],
  takesAny: boolean,
): Promise<(author: string) => boolean> {
  const authors = [...new Set(decisions.map(({ by }) => by))];
  const results = await Promise.all(
    authors.map(async (author): Promise<readonly [string, boolean]> => {
      const id = memberIn(author, takesAny);
      if (id === undefined) return [author, takesAny || author === OPERATOR];
      return [author, mayDecide(await memberOf(context, account_id, id), account_id)];
    }),
  );
  const deciders = new Map(results);
  return (author) => deciders.get(author) ?? false;
}

/**
 * Returns the id of the member behind an author; `undefined` if there is none. Unless `takesAny` is `true`,
 * an account as author means its first member.
 */
function memberIn(author: string, takesAny: boolean): string | undefined {
  if (author.startsWith('mem_')) return author;
  return author.startsWith('acc_') && !takesAny ? firstMemberId(author) : undefined;
}

function mayDecide(member: MemberRecord | undefined, account_id: string): boolean {
  if (member === undefined || member.account_id !== account_id || member.status !== 'active') return false;
  return DECIDING_ROLES.includes(member.role);
}
