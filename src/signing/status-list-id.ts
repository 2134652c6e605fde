/** The names of status lists. */
import { BASE62 } from '../base/base62.ts';
import { hashing } from '../platform/index.ts';

/** How many places a list has. */
export const STATUS_LIST_SIZE: number = 2 ** 20;

const DIGITS = 22;

const LIST_ID = /^sl_[0-9A-Za-z]{22}$/;

/** The id of the list of an account with that number, from 1 on. It does not show which account that is. */
export function statusListId(account_id: string, number: number): string {
  const digest = hashing.sha256(`status list ${number} of ${account_id}`);
  let text = '';
  for (const byte of digest.subarray(0, DIGITS)) text += BASE62.charAt(byte % BASE62.length);
  return `sl_${text}`;
}

/** Whether the text may be the id of a list. */
export function isStatusListId(text: string): boolean {
  return LIST_ID.test(text);
}
