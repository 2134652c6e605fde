/** The people behind an account. */

/** Returns the id of the founder, the first member of an account: `mem_` and the text after `acc_` of the account's id. */
export function founderOf(account_id: string): string {
  return `mem_${account_id.slice(4)}`;
}

/** Says whether an author is a person: an account stands for its founder. `null` is the author of no change. */
export function isSamePerson(author: string | null, person: string): boolean {
  return author !== null && personOf(author) === personOf(person);
}

/** Returns the member that an author is: old records name an account where its founder acted. */
function personOf(author: string): string {
  return author.startsWith('acc_') ? founderOf(author) : author;
}

/** Controls and lone surrogates, which not every storage keeps. */
const UNSEEN = /[\p{Cc}\p{Cs}]/u;

/** Says whether a value is a name of a person or an organisation: a text of 1 to 100 characters. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 100 && !UNSEEN.test(value);
}
