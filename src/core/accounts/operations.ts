import type { TableOf } from '../../operations/operation.ts';
import { MEMBERS } from '../../operations/roles.ts';
import type { OwnAccount } from './own-account.ts';

export const accountOperations: TableOf<OwnAccount, ''> = {
  room: '',
  tag: 'Accounts',
  operations: {
    account: {
      http: 'GET /account',
      summary: 'Show the account, its usage and its limits',
      roles: MEMBERS,
      managementScope: 'any',
      login: 'any',
      status: 200,
      answer: 'AccountOverview',
      returns: 'The account.',
      has: ['id', 'email'],
    },
  },
};
