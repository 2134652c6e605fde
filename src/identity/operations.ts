import type { TableOf } from '../operations/operation.ts';
import { EDITORS } from '../operations/roles.ts';
import type { PassportSigning } from './sign-passport.ts';

export const signOperations: TableOf<PassportSigning, 'passports'> = {
  room: 'passports',
  tag: 'Passports',
  operations: {
    sign: {
      http: 'POST /passports/{agent_id}/sign',
      summary: 'Sign a passport for third parties',
      roles: EDITORS,
      scope: 'sign',
      managementScope: null,
      body: 'SignRequest',
      isBodyOptional: true,
      status: 200,
      answer: 'SignedPassport',
      returns: 'The token.',
      errors: ['not_found', 'conflict', 'domain_unproven'],
    },
  },
};
