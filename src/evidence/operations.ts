import type { TableOf } from '../operations/operation.ts';
import { PAGE } from '../operations/parameters.ts';
import { MEMBERS } from '../operations/roles.ts';
import type { Evidence } from './evidence.ts';
import type { VerdictReceipts } from './receipts.ts';

export const evidenceOperations: TableOf<Evidence, 'evidence'> = {
  room: 'evidence',
  tag: 'Evidence',
  operations: {
    state: {
      http: 'GET /log',
      summary: 'Show the keys, the checkpoint and the waiting entries of the log',
      roles: MEMBERS,
      status: 200,
      answer: 'Log',
      returns: 'The log.',
      has: ['log_id', 'checkpoint'],
      errors: ['not_found'],
    },
    entries: {
      http: 'GET /log/entries',
      summary: 'List the entries of the log, newest first',
      roles: MEMBERS,
      query: [
        ...PAGE,
        {
          name: 'blocks',
          description: 'Include the blocks of verdicts. A page then has at most 16 entries.',
          schema: { type: 'string', enum: ['1'] },
          isFlag: true,
        },
      ],
      status: 200,
      answer: 'LogEntryPage',
      returns: 'A page of entries.',
      errors: ['not_found'],
      isPatient: true,
      isAbortable: true,
    },
  },
};

export const receiptOperations: TableOf<VerdictReceipts, 'verifications'> = {
  room: 'verifications',
  tag: 'Evidence',
  operations: {
    receipt: {
      http: 'GET /verifications/{decision_id}/receipt',
      summary: 'Get the receipt of a verdict',
      roles: MEMBERS,
      scope: 'verify',
      managementScope: null,
      query: [
        {
          name: 'evaluated_at',
          description: 'When the verdict was given: needed for one without a permit, for sessions alone.',
          schema: { type: 'string', format: 'date-time' },
        },
      ],
      status: 200,
      answer: 'Receipt',
      returns: 'The receipt, and how many verdicts it discloses.',
      errors: ['not_found', 'conflict'],
      isPatient: true,
      isAbortable: true,
    },
  },
};
