import type { Approval, ApprovedIntent } from '../../records/approval.ts';

export function approvalExample(intent: ApprovedIntent, created_at: string): Approval {
  const { agent_id } = intent;
  return {
    id: 'apr_5nWq8ZrT2yLkXc0BvHs4Ge',
    kind: 'intent',
    status: 'pending',
    agent_id,
    environment: 'live',
    intent,
    reasons: [
      {
        code: 'approval_required',
        message: 'A person must approve the intent.',
        agent_id,
        above: '15',
        actual: '19.99',
      },
    ],
    needed: 1,
    by: 'anyone',
    decisions: [],
    requested_by: 'mem_7bT4cQm1ZxKp3WfR8sVd2L',
    created_at,
    expires_at: '2026-11-20T13:00:00.000Z',
    decided_by: null,
    decided_at: null,
    note: null,
    decision_id: null,
  };
}
