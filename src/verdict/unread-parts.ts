import type { Reason } from '../records.ts';

/** A part of the input that `decide` could not read. */
export type UnreadPart =
  | 'question'
  | 'passport'
  | 'at'
  | 'ancestors'
  | 'proof'
  | 'intent'
  | 'rules'
  | 'approval';

const SENTENCES: Readonly<Record<UnreadPart, string>> = {
  question: 'The question cannot be read.',
  passport: 'A field of the passport cannot be read.',
  at: 'The instant is not an RFC 3339 text.',
  ancestors: 'The passports above cannot be read.',
  proof: 'The state of the proof cannot be read.',
  intent: 'The intent is not plain data.',
  rules: 'A default rule is missing.',
  approval: 'The state of the approval cannot be read.',
};

/**
 * Returns a sentence for people about a reason `rule_failed` that names, in `rule`, a part of the input that `decide`
 * could not read. Returns `undefined` for every other reason.
 *
 * @example
 * import { decide, unreadPart } from 'agent-identity-service/verdict';
 *
 * const { reasons } = decide(null);
 * console.log(reasons.map(unreadPart)); // [ 'The question cannot be read.' ]
 */
export function unreadPart({ code, rule }: Reason): string | undefined {
  return code === 'rule_failed' && Object.hasOwn(SENTENCES, `${rule}`)
    ? SENTENCES[rule as UnreadPart]
    : undefined;
}
