import { expect, test } from 'vitest';
import { AGENT_NOT_FOUND, RULE_FAILED, RULES } from '../../src/verdict/rules.ts';

test('every code says the same to everybody', () => {
  expect(
    Object.fromEntries([AGENT_NOT_FOUND, ...RULES, RULE_FAILED].map(({ code, message }) => [code, message])),
  ).toEqual({
    agent_not_found: 'The agent is not found.',
    agent_revoked: 'The agent is revoked.',
    agent_suspended: 'The agent is suspended.',
    agent_expired: 'The agent is expired.',
    agent_not_yet_valid: 'The agent is not yet valid.',
    action_denied: 'The action is denied.',
    action_not_allowed: 'The action is not allowed.',
    target_invalid: 'The target is invalid.',
    target_required: 'The target is required.',
    target_not_allowed: 'The target is not allowed.',
    amount_invalid: 'The amount is not an exact decimal in range.',
    amount_required: 'The amount is required.',
    currency_invalid: 'The currency is not an ISO 4217 code.',
    currency_mismatch: 'The currency is not allowed.',
    amount_over_limit: 'The amount is over the limit.',
    rule_failed: 'The rule failed.',
  });
});
