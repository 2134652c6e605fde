import { APPROVAL_STATUSES } from '../../base/values/vocabulary.ts';
import { APPROVERS, MEMBERS } from '../../operations/roles.ts';
import type { ApprovalDecision } from '../../records/approval.ts';
import type { ApprovalQuery } from '../../service.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { pageOf, pageParameters } from '../page-query.ts';

/** The endpoints of approvals: the requests in which a person decides if an agent may act. */
export const approvalEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/approvals',
    verb: 'approvals',
    tag: 'Approvals',
    summary: 'List the approvals, newest first',
    credential: 'session',
    role: MEMBERS,
    query: [
      {
        name: 'status',
        description: 'Only approvals of this status now.',
        schema: { type: 'string', enum: APPROVAL_STATUSES },
      },
      { name: 'agent_id', description: 'Only what this agent asks.', schema: { type: 'string' } },
      ...pageParameters,
    ],
    success: { status: 200, description: 'A page of approvals.', schema: 'ApprovalPage' },
    async handle({ service, caller, query, signal }) {
      const { limit: _, cursor: __, ...filters } = query;
      const asked = { ...pageOf(query), ...filters } as ApprovalQuery;
      return { body: await service.approvals.list(asked, { ...caller, signal: signal() }) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/approvals/{id}',
    verb: 'approvals',
    tag: 'Approvals',
    summary: 'Show an approval and its state',
    credential: 'either',
    role: MEMBERS,
    scope: 'verify',
    success: { status: 200, description: 'The approval.', schema: 'Approval' },
    errors: ['not_found'],
    handle: async ({ service, caller, params }) => ({
      body: await service.approvals.get(params['id'] ?? '', caller),
    }),
  }),
  decision('approve', 'Approve: once enough people have, exactly this intent or change may happen, once'),
  decision('reject', 'Do not let this intent or change happen'),
];

function decision(verb: 'approve' | 'reject', summary: string): Endpoint {
  return endpoint({
    method: 'POST',
    path: `/approvals/{id}/${verb}`,
    verb: 'approvals',
    tag: 'Approvals',
    summary,
    credential: 'session',
    role: APPROVERS,
    body: { schema: 'ApprovalDecision', optional: true },
    success: { status: 200, description: 'The approval.', schema: 'Approval' },
    errors:
      verb === 'approve' ? ['not_found', 'conflict', 'second_person_required'] : ['not_found', 'conflict'],
    handle: async ({ service, caller, params, body }) => ({
      body: await service.approvals[verb](params['id'] ?? '', body as ApprovalDecision, caller),
    }),
  });
}
