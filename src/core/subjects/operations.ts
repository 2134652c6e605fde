import type { TableOf } from '../../operations/operation.ts';
import { ERASERS } from '../../operations/roles.ts';
import type { Subjects } from './subjects.ts';

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
