import type { Difference } from '../../records/comparison.ts';
import type { ReasonCode } from '../../records.ts';

const TIMES: readonly ReasonCode[] = ['agent_expired', 'agent_not_yet_valid'];

/** The maximum length of the JSON text of the parameters in a sentence, without the amount and the currency. */
const LONGEST = 200;

const HOST_RULES =
  'Your own rules may read the description, the metadata, the owner and managed_by. The comparison leaves them out.';

const NO_REASON = { message: '', budget: undefined, pace: undefined, order: undefined };

const UNSEEN: Readonly<Record<string, Readonly<Record<'wider' | 'narrower', string>>>> = {
  rule_failed: { wider: HOST_RULES, narrower: HOST_RULES },
  parameter_not_allowed: {
    wider: 'Other parameters are allowed: a condition is removed or asks for less.',
    narrower: 'Fewer parameters are allowed: a condition is new or asks for more.',
  },
  order_required: {
    wider: 'A rule of order is gone or asks for less.',
    narrower: 'A rule of order is new or asks for more.',
  },
  order_forbidden: {
    wider: 'A rule of order is gone or asks for less.',
    narrower: 'A rule of order is new or asks for more.',
  },
  token_unavailable: {
    wider: 'Assertions of more issuers, subjects or keys get access tokens.',
    narrower: 'Assertions of fewer issuers, subjects or keys get access tokens.',
  },
  budget_exceeded: {
    wider: 'More may be spent: a budget is gone or higher, or a commit may be above its hold.',
    narrower: 'Less may be spent: a budget is new or lower, or no commit may be above its hold.',
  },
  approval_pending: {
    wider: 'Changes of the passport that let more happen no longer need a person.',
    narrower: 'Changes of the passport that let more happen need a person.',
  },
};

/**
 * Returns a difference as a sentence: the intent that is newly allowed or newly denied, and the reason of the passport
 * that denies it. `list` is the list of the comparison that contains the difference.
 *
 * @example
 * import { differenceSentence } from 'agent-identity-service/verdict/compare';
 *
 * const question = { intent: null, at: '2026-11-24T12:00:00.000Z', allowed: {}, denied: {} };
 * const text = differenceSentence({ code: 'action_not_allowed', reasons: [], ...question }, 'wider');
 * console.log(text.length > 0); // true
 */
export function differenceSentence(difference: Difference, list: 'wider' | 'narrower'): string {
  const { code, reasons, intent } = difference;
  const [{ message, budget, pace = budget, order: name = pace } = NO_REASON] = reasons;
  const why = `${message}${name === undefined ? '' : ` (${name})`}`;
  if (intent === null) {
    const sentence = UNSEEN[code]?.[list];
    return sentence !== undefined
      ? sentence
      : `${list === 'wider' ? 'May allow more' : 'May allow less'} (${code}). ${why}`.trim();
  }
  const act = actOf(difference, intent);
  return list === 'wider' ? `Allows ${act}. Before: ${why}` : `No longer allows ${act}. ${why}`;
}

function actOf(
  { code, at }: Difference,
  { action, target, parameters = {} }: NonNullable<Difference['intent']>,
): string {
  const { amount, currency, ...others } = parameters;
  const sum = [amount, currency].filter((part) => part !== undefined).join(' ');
  return [
    action,
    ...(sum === '' ? [] : [amount === undefined ? `in ${sum}` : `of ${sum}`]),
    ...(target === undefined ? [] : [`to ${target}`]),
    ...(Object.keys(others).length === 0 ? [] : [`with ${JSON.stringify(others).slice(0, LONGEST)}`]),
    ...(TIMES.includes(code as ReasonCode) ? [`at ${at}`] : []),
  ].join(' ');
}
