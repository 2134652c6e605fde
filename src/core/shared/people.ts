/** Identifies the people behind an account, and checks names. */
import type { FieldError } from '../../errors.ts';

/** Returns the id of the first member of an account: `mem_` and the text after `acc_` of the account's id. */
export function firstMemberId(account_id: string): string {
  return `mem_${account_id.slice(4)}`;
}

/**
 * Returns `true` if the author of a change is this person. An account as author stands for its first member. If
 * `author` is `null`, there was no change.
 */
export function isSamePerson(author: string | null, person: string): boolean {
  return author !== null && personOf(author) === personOf(person);
}

/** Returns the member id of an author. A call in process without a member acts as the first member of the account. */
function personOf(author: string): string {
  return author.startsWith('acc_') ? firstMemberId(author) : author;
}

/**
 * Control characters and lone surrogates, which some storages lose, and characters that reverse the direction of text.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;

const MAX_NAME = 100;

export const NAME_WORDS = 'text of 1 to 100 characters without control characters and direction controls';

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME && !UNSEEN.test(value);
}

export function nameErrors({ name }: { readonly [field: string]: unknown }): readonly FieldError[] {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME || isName(name)) return [];
  const message = `This must be ${NAME_WORDS}.`;
  return [{ path: '/name', code: 'malformed', message }];
}
