/** Warns of a passport that asks for more people than its account has. */
import type { Passport } from '../../../src/client.ts';
import { DECIDING_ROLES } from '../../../src/http/index.ts';
import type { Backend } from '../backend/verbs.ts';
import { printError } from '../output/terminal.ts';

/** The number of members that are read; an account with more has enough approvers. */
const LIMIT = 100;

/** Returns the passport, and warns if nobody in the account can complete an approval that it asks for. */
export async function warnOfFewApprovers<Saved extends Pick<Passport, 'approval'>>(
  { members, account }: Pick<Backend, 'members' | 'account'>,
  passport: Saved,
): Promise<Saved> {
  const { approval } = passport;
  if (approval === undefined) return passport;
  const { count: needed = 1, by = 'anyone' } = approval;
  // The passport is saved: a list that cannot be read is no failure of the command.
  const found = await members.list({ status: 'active', limit: LIMIT }).catch(() => undefined);
  if (found === undefined || found.data.length === 0 || found.has_more) return passport;
  const self = by === 'another' ? (await account().catch(() => undefined))?.member?.id : undefined;
  const deciding = found.data.filter(({ id, role }) => DECIDING_ROLES.includes(role) && id !== self).length;
  if (deciding >= needed) return passport;
  const who = by === 'another' ? 'other people' : 'people';
  printError(
    `agent-identity: Nobody can complete an approval of this passport: it needs ${needed} ${who} who may approve, and the account has ${deciding}. Give members the role approver, admin or owner.`,
  );
  return passport;
}
