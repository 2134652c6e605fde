import { AUDIT_TYPES, OUTCOME_STATES, VERDICTS } from '../../base/values/vocabulary.ts';
import type { TableOf } from '../../operations/operation.ts';
import {
  AGENT,
  BYTE_ORDER_MARK,
  ENVIRONMENT,
  PAGE,
  type QueryParameter,
  RANGE,
} from '../../operations/parameters.ts';
import { MEMBERS } from '../../operations/roles.ts';
import { subject } from '../../schema/subject.ts';
import type { Audit } from './audit.ts';
import type { Verifications } from './verifications.ts';

const VERDICT_FILTERS: readonly QueryParameter[] = [
  AGENT,
  {
    name: 'verdict',
    description: 'Only records with this verdict.',
    schema: { type: 'string', enum: VERDICTS },
  },
  { name: 'reason', description: 'Only with a reason of this code.', schema: { type: 'string' } },
  ENVIRONMENT,
  {
    name: 'dry_run',
    description: 'true: only dry runs. false: no dry runs.',
    schema: { type: 'boolean' },
  },
  { name: 'subject', description: 'Only for this subject, exactly.', schema: subject },
  {
    name: 'outcome',
    description: 'Only with this outcome; none: an ALLOW without a report, no dry run.',
    schema: { type: 'string', enum: OUTCOME_STATES },
  },
  ...RANGE,
];

export const verificationOperations: TableOf<Verifications, 'verifications'> = {
  room: 'verifications',
  tag: 'Insight',
  operations: {
    list: {
      http: 'GET /verifications',
      summary: 'List verdict records, newest first, or export them as CSV',
      roles: MEMBERS,
      query: [...VERDICT_FILTERS, BYTE_ORDER_MARK, ...PAGE],
      status: 200,
      answer: 'VerdictPage',
      returns: 'A page of verdict records, or the whole list as CSV.',
      isPatient: true,
      isAbortable: true,
    },
    csv: {
      http: 'GET /verifications',
      summary: 'Export verdict records as CSV',
      roles: MEMBERS,
      query: VERDICT_FILTERS,
      status: 200,
      returns: 'The whole list as CSV.',
      isCsv: true,
      isAbortable: true,
    },
  },
};

const CHANGE_FILTERS: readonly QueryParameter[] = [
  {
    name: 'type',
    description: 'Only changes of this type.',
    schema: { type: 'string', enum: AUDIT_TYPES },
  },
  {
    name: 'by',
    description: 'Only changes by this author: mem_…, key_… or operator.',
    schema: { type: 'string' },
  },
  ...RANGE,
];

export const auditOperations: TableOf<Audit, 'audit'> = {
  room: 'audit',
  tag: 'Insight',
  operations: {
    list: {
      http: 'GET /audit',
      summary: 'List the audit trail, newest first, or export it as CSV',
      roles: MEMBERS,
      query: [...CHANGE_FILTERS, BYTE_ORDER_MARK, ...PAGE],
      status: 200,
      answer: 'AuditPage',
      returns: 'A page of changes, or the whole list as CSV.',
      isPatient: true,
      isAbortable: true,
    },
    csv: {
      http: 'GET /audit',
      summary: 'Export the audit trail as CSV',
      roles: MEMBERS,
      query: CHANGE_FILTERS,
      status: 200,
      returns: 'The whole list as CSV.',
      isCsv: true,
      isAbortable: true,
    },
  },
};
