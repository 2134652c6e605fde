/** The people behind an account. */
import type { FieldError } from '../../errors.ts';

/** Returns the id of the founder, the first member of an account: `mem_` and the text after `acc_` of the account's id. */
export function founderOf(account_id: string): string {
  return `mem_${account_id.slice(4)}`;
}

/** Says whether an author is a person: an account stands for its first member. `null` is the author of no change. */
export function isSamePerson(author: string | null, person: string): boolean {
  return author !== null && personOf(author) === personOf(person);
}

/** Returns the member that an author is: old records name an account where its first member acted. */
function personOf(author: string): string {
  return author.startsWith('acc_') ? founderOf(author) : author;
}

/** Controls and lone surrogates, which not every storage keeps, and controls that turn the text around them. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;

const MAX_NAME = 100;

export const NAME_WORDS = 'text of 1 to 100 characters without control characters and direction controls';

/** Says whether a value is a name of a person or an organisation: a text of 1 to 100 characters. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME && !UNSEEN.test(value);
}

/** Returns the errors of the name in a request. A name that is no text of this length is left to the schema. */
export function nameErrors({ name }: { readonly [field: string]: unknown }): readonly FieldError[] {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME || isName(name)) return [];
  const message = `This must be ${NAME_WORDS}.`;
  return [{ path: '/name', code: 'malformed', message }];
}
