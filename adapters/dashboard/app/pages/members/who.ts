import type { AccountOverview, Member, Role } from '../../../../../src/types.ts';
import { call } from '../../state/api.ts';
import { type Loaded, useLoad } from '../../state/load.ts';

/** The roles, with what each may do. */
export const ROLES: readonly (readonly [role: Role, may: string])[] = [
  ['viewer', 'viewer: sees everything, changes nothing'],
  ['approver', 'approver: decides approvals, stops agents'],
  ['editor', 'editor: changes passports, keys, domains and webhooks'],
  ['admin', 'admin: editor and approver together'],
  ['owner', 'owner: admin, and manages members and the account'],
];

/** Loads the account, with the member that is signed in. */
export function useAccount(): Loaded<AccountOverview> {
  return useLoad('account', (signal) => call<AccountOverview>('GET', '/account', { signal }));
}

/** Returns the words for a member. */
export function nameOf({ name, email, id }: Pick<Member, 'name' | 'email' | 'id'>): string {
  return name ?? email ?? id;
}
