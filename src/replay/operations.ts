import type { TableOf } from '../operations/operation.ts';
import { MEMBERS } from '../operations/roles.ts';
import type { PassportReplays } from './request.ts';

export const replayOperations: TableOf<PassportReplays, 'passports'> = {
  room: 'passports',
  tag: 'Passports',
  operations: {
    replay: {
      http: 'POST /passports/{agent_id}/replay',
      summary: 'Replay recorded verdicts, with or without a change',
      roles: MEMBERS,
      managementScope: 'passports:read',
      body: 'ReplayRequest',
      isBodyOptional: true,
      status: 200,
      answer: 'Replay',
      returns: 'The verdicts as they would be.',
      has: ['covered', 'unknown', 'change'],
      errors: ['not_found', 'conflict', 'rate_limited'],
      bodyLimit: 'replay',
      isPatient: true,
      isAbortable: true,
      options: ['rules'],
    },
  },
};
