import { describe, expect, test } from 'vitest';
import { type Difference, differenceSentence } from '../../../src/verdict/compare/index.ts';

const AT = '2026-11-24T12:00:00.000Z';

function difference(fields: Partial<Difference> = {}): Difference {
  const code = 'action_not_allowed';
  const reasons = [{ code, message: 'The action is not allowed.' }] as const;
  const intent = { agent_id: 'did:web:example.com:agents:buyer', action: 'payments.create' };
  return { code, reasons, intent, at: AT, allowed: {}, denied: {}, ...fields };
}

function withIntent(more: object, fields: Partial<Difference> = {}): Difference {
  const intent = { agent_id: 'did:web:example.com:agents:buyer', action: 'payments.create', ...more };
  return difference({ ...fields, intent });
}

describe('the sentence of a difference', () => {
  test('says what is allowed from now on and what denied it, or what is no longer allowed and why', () => {
    expect(differenceSentence(difference(), 'wider')).toBe(
      'Allows payments.create. Before: The action is not allowed.',
    );
    expect(differenceSentence(difference(), 'narrower')).toBe(
      'No longer allows payments.create. The action is not allowed.',
    );
  });

  test.each([
    [{ parameters: { amount: '19.99' } }, 'payments.create of 19.99'],
    [{ parameters: { amount: 5, currency: 'EUR' } }, 'payments.create of 5 EUR'],
    [{ parameters: { currency: 'EUR' } }, 'payments.create in EUR'],
    [{ parameters: {} }, 'payments.create'],
    [{ target: 'did:web:till.example' }, 'payments.create to did:web:till.example'],
    [
      { target: 'did:web:till.example', parameters: { amount: 5, currency: 'EUR' } },
      'payments.create of 5 EUR to did:web:till.example',
    ],
  ])('names the amount and the target of %j', (more, act) => {
    expect(differenceSentence(withIntent(more), 'wider')).toBe(
      `Allows ${act}. Before: The action is not allowed.`,
    );
  });

  test.each(['agent_expired', 'agent_not_yet_valid'] as const)('names the instant of %s', (code) => {
    const reasons = [{ code, message: 'Not now.' }];
    expect(differenceSentence(difference({ code, reasons }), 'wider')).toBe(
      `Allows payments.create at ${AT}. Before: Not now.`,
    );
  });

  test('names the budget that is exceeded', () => {
    const code = 'budget_exceeded';
    const reasons = [{ code, message: 'The budget is exceeded.', budget: 'daily' }] as const;
    expect(differenceSentence(difference({ code, reasons }), 'narrower')).toBe(
      'No longer allows payments.create. The budget is exceeded. (daily)',
    );
  });

  test('says without an intent that more or less may be allowed', () => {
    const unseen = difference({ intent: null });
    expect(differenceSentence(unseen, 'wider')).toBe(
      'May allow more (action_not_allowed). The action is not allowed.',
    );
    expect(differenceSentence({ ...unseen, reasons: [] }, 'narrower')).toBe(
      'May allow less (action_not_allowed).',
    );
  });

  test('has a fixed text for a difference that no intent shows', () => {
    const sentences = (code: Difference['code']) =>
      (['wider', 'narrower'] as const).map((list) =>
        differenceSentence(difference({ code, reasons: [], intent: null }), list),
      );
    const hosts =
      'Your own rules may read the description, the metadata, the owner and managed_by. The comparison leaves them out.';
    expect(sentences('rule_failed')).toEqual([hosts, hosts]);
    expect(sentences('approval_pending')).toEqual([
      'Changes of the passport that let more happen no longer need a person.',
      'Changes of the passport that let more happen need a person.',
    ]);
  });
});
