import type { OwnedPassport } from '../../src/testing/arbitraries.ts';
import { decide, type Intent, type Question, type Rule, type Verdict } from '../../src/verdict/index.ts';

/** An active passport that lets its agent pay up to 100 and read quotes, of any currency, to any target. */
export const PASSPORT: OwnedPassport = {
  agent_id: 'did:web:shop.example.com:agents:buyer',
  account_id: 'acc_1',
  domain: 'shop.example.com',
  agent_name: 'buyer',
  allowed_actions: ['pay', 'quotes:*'],
  monetary_limit_per_txn: 100,
  status: 'active',
  version: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  suspended_until: null,
  suspended_by: null,
  suspension_reason: null,
  revoked_at: null,
  revoked_by: null,
  revocation_reason: null,
};

/** An intent that the agent may carry out. */
export const INTENT: Intent = { agent_id: PASSPORT.agent_id, action: 'pay' };

/** The instant of every question that names none. */
export const AT = '2026-11-20T12:00:00.000Z';

/** The verdict on the allowed intent, with the passport, the intent and the rest of the question changed as given. */
export function ask(
  passport: object,
  intent: object = {},
  rest: Partial<Question> = {},
  rules?: readonly Rule[],
): Verdict {
  const question = {
    passport: { ...PASSPORT, ...passport },
    intent: { ...INTENT, ...intent },
    at: AT,
    ...rest,
  };
  return decide(question, rules);
}

/** The codes of the reasons of that verdict, or `['ALLOW']`. */
export function codes(...question: Parameters<typeof ask>): string[] {
  const { verdict, reasons } = ask(...question);
  return verdict === 'ALLOW' ? ['ALLOW'] : reasons.map(({ code }) => code);
}
