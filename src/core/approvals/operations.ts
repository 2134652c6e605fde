import { APPROVAL_STATUSES } from '../../base/values/vocabulary.ts';
import type { TableOf } from '../../operations/operation.ts';
import { PAGE } from '../../operations/parameters.ts';
import { APPROVERS, MEMBERS } from '../../operations/roles.ts';
import type { Approvals } from './approvals.ts';

export const approvalOperations: TableOf<Omit<Approvals, 'wait'>, 'approvals'> = {
  room: 'approvals',
  tag: 'Approvals',
  operations: {
    list: {
      http: 'GET /approvals',
      summary: 'List the approvals, newest first',
      roles: MEMBERS,
      query: [
        {
          name: 'status',
          description: 'Only approvals of this status now.',
          schema: { type: 'string', enum: APPROVAL_STATUSES },
        },
        { name: 'agent_id', description: 'Only what this agent asks.', schema: { type: 'string' } },
        ...PAGE,
      ],
      status: 200,
      answer: 'ApprovalPage',
      returns: 'A page of approvals.',
      isAbortable: true,
    },
    get: {
      http: 'GET /approvals/{id}',
      summary: 'Show an approval and its state',
      roles: MEMBERS,
      scope: 'verify',
      status: 200,
      answer: 'Approval',
      returns: 'The approval.',
      errors: ['not_found'],
    },
    approve: {
      http: 'POST /approvals/{id}/approve',
      summary: 'Approve an intent or a passport change',
      roles: APPROVERS,
      body: 'ApprovalDecision',
      isBodyOptional: true,
      status: 200,
      answer: 'Approval',
      returns: 'The approval.',
      errors: ['not_found', 'conflict', 'second_person_required'],
    },
    reject: {
      http: 'POST /approvals/{id}/reject',
      summary: 'Reject an intent or a passport change',
      roles: APPROVERS,
      body: 'ApprovalDecision',
      isBodyOptional: true,
      status: 200,
      answer: 'Approval',
      returns: 'The approval.',
      errors: ['not_found', 'conflict'],
    },
  },
};
