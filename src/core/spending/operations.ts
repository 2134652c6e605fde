import type { TableOf } from '../../operations/operation.ts';
import { EDITORS, MEMBERS } from '../../operations/roles.ts';
import type { Spends } from './spends.ts';

/** The table of `service.spends`. */
export const spendOperations: TableOf<Spends, 'spends'> = {
  room: 'spends',
  tag: 'Verdicts',
  operations: {
    get: {
      http: 'GET /spends/{decision_id}',
      summary: 'Show the spend of an ALLOW',
      roles: MEMBERS,
      scope: 'verify',
      status: 200,
      answer: 'Spend',
      returns: 'The spend.',
      errors: ['not_found'],
    },
    commit: {
      http: 'POST /spends/{decision_id}/commit',
      summary: 'Commit a hold: as held, less, or more',
      roles: EDITORS,
      scope: 'verify',
      body: 'CommitRequest',
      isBodyOptional: true,
      headers: ['Idempotency-Key'],
      status: 200,
      answer: 'Spend',
      returns: 'The spend.',
      errors: ['not_found', 'conflict', 'spend_lapsed'],
      options: ['onReplayed'],
    },
    extend: {
      http: 'POST /spends/{decision_id}/extend',
      summary: 'Extend a hold',
      roles: EDITORS,
      scope: 'verify',
      body: 'ExtendRequest',
      status: 200,
      answer: 'Spend',
      returns: 'The spend.',
      errors: ['not_found', 'conflict', 'spend_lapsed'],
    },
    release: {
      http: 'POST /spends/{decision_id}/release',
      summary: 'Return a hold, or refund a committed spend',
      roles: EDITORS,
      scope: 'verify',
      otherScopes: ['refund'],
      body: 'SettleRequest',
      isBodyOptional: true,
      headers: ['Idempotency-Key'],
      status: 200,
      answer: 'Spend',
      returns: 'The spend.',
      errors: ['not_found', 'conflict', 'spend_lapsed'],
      options: ['onReplayed'],
    },
  },
};
