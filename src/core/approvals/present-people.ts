/** Finds the present requirements of the passports for an approval, and the people who may decide now. */

import { DECIDING_ROLES } from '../../base/values/vocabulary.ts';
import type { GivenApproval } from '../../records/approval.ts';
import type { Intent } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { approvalAsked } from '../../verdict/takings.ts';
import type { MemberRecord } from '../members/collections.ts';
import { memberOf } from '../members/members.ts';
import type { PassportRecord } from '../passports/collections.ts';
import { type Context, OPERATOR } from '../shared/context.ts';
import { firstMemberId } from '../shared/people.ts';
import type { KnownPassport } from '../storage/caches.ts';
import type { ApprovalRecord } from './collections.ts';
import { type PeopleRule, PLAIN_RULE } from './people-rule.ts';

export interface PresentDemand {
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
