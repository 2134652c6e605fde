import type { TableOf } from '../operations/operation.ts';
import { ERASERS } from '../operations/roles.ts';
import type { PassportPurges } from './purge.ts';
import type { Subjects } from './subjects.ts';

export const purgeOperations: TableOf<PassportPurges, 'passports'> = {
  room: 'passports',
  tag: 'Passports',
  operations: {
    purge: {
      http: 'DELETE /passports/{agent_id}',
      summary: 'Erase a revoked agent except its id',
      roles: ERASERS,
      managementScope: null,
      status: 204,
      returns: 'Only the id of the passport is left; the rest is being erased.',
      errors: ['not_found', 'conflict'],
    },
  },
};

export const subjectOperations: TableOf<Subjects, 'subjects'> = {
  room: 'subjects',
  tag: 'Insight',
  operations: {
    erase: {
      http: 'POST /subjects/erase',
      summary: 'Erase a subject from records',
      roles: ERASERS,
      body: 'SubjectRequest',
      status: 200,
      answer: 'SubjectErasure',
      returns: 'How many records had the subject.',
      has: ['erased', 'has_more'],
      counts: 'write',
      isPatient: true,
    },
  },
};
