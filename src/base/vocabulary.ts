/** The closed sets of words on the wire, each listed once, in the order in which it is shown. */
import type { ApiKeyStatus, Environment, Plan, Scope, Verdict } from '../records.ts';

/** Where a key is used. */
export const ENVIRONMENTS: readonly Environment[] = wordsOf<Environment>({ live: true, test: true });

/** What a key may do. */
export const SCOPES: readonly Scope[] = wordsOf<Scope>({ verify: true, revoke: true, reinstate: true });

/** The plans of accounts. */
export const PLANS: readonly Plan[] = wordsOf<Plan>({ starter: true, team: true, enterprise: true });

/** The statuses of an API key. */
export const API_KEY_STATUSES: readonly ApiKeyStatus[] = wordsOf<ApiKeyStatus>({
  active: true,
  rotating: true,
  expired: true,
  revoked: true,
});

/** What a verdict says. */
export const VERDICTS: readonly Verdict['verdict'][] = wordsOf<Verdict['verdict']>({
  ALLOW: true,
  DENY: true,
});

/** The words of a set; the compiler asks for every one. */
function wordsOf<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}

/** The words in a sentence, such as `live or test`. */
export function anyOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
