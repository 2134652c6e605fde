/** The people of an approval as they are now: what the passports demand of them, and whether each may decide. */

import { DECIDING_ROLES } from '../../base/values/vocabulary.ts';
import type { GivenApproval } from '../../records/approval.ts';
import type { Intent } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { approvalAsked } from '../../verdict/takings.ts';
import { presentMember } from '../logins/logins.ts';
import type { MemberRecord } from '../members/collections.ts';
import type { PassportRecord } from '../passports/collections.ts';
import { type Context, OPERATOR } from '../shared/context.ts';
import { founderOf } from '../shared/people.ts';
import type { KnownPassport } from '../storage/caches.ts';
import type { ApprovalRecord } from './collections.ts';
import { type PeopleRule, PLAIN_RULE } from './people-rule.ts';

/** The demand of the passports that ask, and the people who last widened them. */
export interface PresentDemand {
  readonly rule: PeopleRule;
  readonly wideners: readonly (string | null)[];
  /** The authors of the passport since approvers last approved it; none for an intent. */
  readonly authors: readonly string[];
}

/**
 * Returns the demand of the passports for an intent. If none of them asks for approval, only the stored demand
 * counts.
 */
export function demandOnIntent(passports: readonly PreparedPassport[], intent: Intent): PresentDemand {
  const asked = approvalAsked(passports, intent);
  if (asked === undefined) return { rule: PLAIN_RULE, wideners: [], authors: [] };
  const { count, another, passports: asking } = asked;
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

/** Returns the passport as it is stored: a prepared one of the storage has all of it. */
function storedIn({ passport }: PreparedPassport): Partial<PassportRecord> {
  return passport as Partial<PassportRecord>;
}

/** Returns the person who last widened a passport; `null` if none is named. */
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
    const found: KnownPassport | undefined = (await cache.load(next, monotonic())).value;
    if (found === undefined || found.account_id !== record.account_id) break;
    passports.push(found.prepared);
    next = record.kind === 'change' ? undefined : found.parent_agent_id;
  }
  const [own] = passports;
  if (own === undefined) return { rule: PLAIN_RULE, wideners: [], authors: [] };
  return record.kind === 'change'
    ? demandOnChange(storedIn(own))
    : demandOnIntent(passports, record.intent as unknown as Intent);
}

/**
 * Says for each author of a decision whether it may decide now: an active member with a role that decides, and with
 * `takesAny` also an author without a name.
 */
export async function decidersNow(
  context: Pick<Context, 'store'>,
  { account_id }: { readonly account_id: string },
  decisions: readonly GivenApproval[],
  takesAny: boolean,
): Promise<(author: string) => boolean> {
  const authors = [...new Set(decisions.map(({ by }) => by))];
  const found = await Promise.all(
    authors.map(async (author): Promise<readonly [string, boolean]> => {
      const id = memberIn(author, takesAny);
      if (id === undefined) return [author, takesAny || author === OPERATOR];
      return [author, mayDecide(await presentMember(context, account_id, id), account_id)];
    }),
  );
  const deciders = new Map(found);
  return (author) => deciders.get(author) ?? false;
}

/** Returns the member that an author is. An account stands for its first member where a person must be named. */
function memberIn(author: string, takesAny: boolean): string | undefined {
  if (author.startsWith('mem_')) return author;
  return author.startsWith('acc_') && !takesAny ? founderOf(author) : undefined;
}

function mayDecide(member: MemberRecord | undefined, account_id: string): boolean {
  if (member === undefined || member.account_id !== account_id || member.status !== 'active') return false;
  return DECIDING_ROLES.includes(member.role);
}
