/** The approvers that an account lacks: approvals that nobody may give say so while they wait. */

import { DECIDING_ROLES } from '../../base/values/vocabulary.ts';
import type { Approval } from '../../records/approval.ts';
import { presentMember } from '../logins/logins.ts';
import type { MemberRecord } from '../members/collections.ts';
import { type Context, OPERATOR } from '../shared/context.ts';
import { founderOf } from '../shared/people.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import type { ApprovalRecord } from './collections.ts';
import { barOf, barredBy, countPersons, stricterRule, takesAnyone } from './people-rule.ts';
import { presentDemand } from './present-people.ts';

/** Adds the number of missing approvers to an approval that waits. */
export type AddMissing = (approval: Approval) => Promise<Approval>;

/** The number of members in one read. */
const PAGE = 100;
/** So many approvers are enough for every approval: of no passport have more people changed it since an approval. */
const ENOUGH = 100;

/** Makes the function for the approvals of one account. It reads the members once, at the first approval that waits. */
export function missingApprovers(context: Context, account_id: string): AddMissing {
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
  context: Context,
  approval: Approval & { readonly account_id: string },
  approvers: ReadonlySet<string>,
): Promise<number> {
  const { kind, needed, by, decisions, requested_by } = approval;
  const demand = await presentDemand(context, approval as unknown as ApprovalRecord);
  const rule = stricterRule({ needed, by }, demand.rule);
  const { wideners, authors } = demand;
  const barred = barredBy(rule, { kind, askers: [requested_by], wideners, authors });
  const plain = takesAnyone(rule, kind);
  const mayDecide = (author: string): boolean =>
    plain || author === OPERATOR || approvers.has(founderOf(author));
  const others = [...approvers].filter((id) => plain || barOf(barred, id) === undefined);
  const at = approval.created_at;
  const people = [...decisions, ...others.map((id) => ({ by: id, at, note: null }))];
  return rule.needed - countPersons({ decisions: people, barred: plain ? [] : barred, mayDecide });
}

/** Returns the members who may decide; `undefined` for an account without members, whose application decides. */
async function approversOf(context: Context, account_id: string): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>();
  const where = { account_id, status: 'active' };
  let count = 0;
  const note = ({ id, role }: MemberRecord): void => {
    count += 1;
    if (DECIDING_ROLES.includes(role)) found.add(id);
  };
  for await (const member of everyRecord(recordsBy(context.store, 'members', where), PAGE)) {
    note(member);
    if (found.size >= ENOUGH) return found;
  }
  // The founder of an account that nobody has touched has no record.
  const founder = count === 0 ? await presentMember(context, account_id, founderOf(account_id)) : undefined;
  if (founder?.status === 'active') note(founder);
  return count === 0 ? undefined : found;
}
