/** Checks the owner of a passport: a text, or the id of a member. */
import { wrongField } from '../../errors.ts';
import type { Context } from '../shared/context.ts';

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
