/** Examples of AuthZEN requests and answers, for the OpenAPI document. */
import type { Reason } from '../../records.ts';
import type { AccessRequestName, AccessResponseName } from '../../schema/access.ts';

export function accessRequestExamples(agent_id: string): Readonly<Record<AccessRequestName, unknown>> {
  const subject = { type: 'agent', id: agent_id };
  const action = { name: 'payments.create', properties: { amount: '19.99', currency: 'EUR' } };
  const resource = { type: 'counterparty', id: 'did:web:paper.suppliers.example' };
  const context = { order: 'A-17' };
  return {
    AccessEvaluation: { subject, action, resource, context },
    AccessEvaluations: {
      subject,
      action,
      context,
      options: { evaluations_semantic: 'deny_on_first_deny' },
      evaluations: [{ resource }, { resource: { type: 'counterparty', id: 'did:web:shop.example' } }],
    },
  };
}

export function accessResponseExamples(
  decision_id: string,
  reason: Reason,
): Readonly<Record<AccessResponseName, unknown>> {
  const decision = { decision: true, context: { decision_id } };
  const denial = { decision: false, context: { decision_id, reasons: [reason] } };
  return {
    AccessDecision: denial,
    AccessDecisions: { evaluations: [decision, denial] },
    ErrorMessage: '/subject/id: This field is required.',
  };
}
