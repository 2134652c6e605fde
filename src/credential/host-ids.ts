/** The ids of accounts and members that a host names. All nodes derive the same, so that a race is no error. */

import { hashing } from '../platform/index.ts';
import { digestText } from './random-id.ts';

/** Returns the id of the account for an organisation of the host. No e-mail has a line break: no other account has it. */
export function hostAccountId(account: string): string {
  return `acc_${digestText(hashing.sha256Hex(`host\n${account}`))}`;
}

/** Returns the id of the member of an account for a person of the host. */
export function hostMemberId(account_id: string, member: string): string {
  return `mem_${digestText(hashing.sha256Hex(`host\n${account_id}\n${member}`))}`;
}
