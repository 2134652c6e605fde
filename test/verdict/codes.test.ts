import { expect, test } from 'vitest';
import { HEADS } from '../support/heads.ts';

test('every code says the same to everybody', () => {
  expect(Object.fromEntries(HEADS.map(({ code, message }) => [code, message]))).toEqual({
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
    parent_not_found: 'The parent of the agent is not found.',
    parent_denied: 'The parent of the agent may not do this.',
    proof_required: 'A proof is required.',
    proof_invalid: 'The proof is invalid.',
    proof_expired: 'The proof is expired.',
    rule_failed: 'The rule failed.',
    permit_unavailable: 'The permit cannot be issued.',
    proof_replayed: 'The proof was used before.',
    budget_exceeded: 'The budget is exceeded.',
    budget_unknown: 'What was spent of the budget is not known.',
    too_many_holds: 'The agent has too many open holds.',
    approval_required: 'A person must approve the intent.',
    approval_pending: 'The approval is not decided yet.',
    approval_rejected: 'The approval was rejected.',
    approval_expired: 'The approval is expired.',
    approval_used: 'The approval was used before.',
    approval_mismatch: 'The approval is not for this intent.',
  });
});
