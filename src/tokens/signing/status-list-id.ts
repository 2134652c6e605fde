import { BASE62 } from '../../base/bytes/base62.ts';
import { hashing } from '../../platform/index.ts';

export const STATUS_LIST_SIZE: number = 2 ** 20;

const DIGITS = 22;

const LIST_ID = /^sl_[0-9A-Za-z]{22}$/;

/** Returns the id of a status list of an account. `number` counts from 1. The id does not reveal the account. */
export function statusListId(account_id: string, number: number): string {
  const digest = hashing.sha256(`status list ${number} of ${account_id}`);
  let text = '';
  for (const byte of digest.subarray(0, DIGITS)) text += BASE62.charAt(byte % BASE62.length);
  return `sl_${text}`;
}

export function isStatusListId(text: string): boolean {
  return LIST_ID.test(text);
}
