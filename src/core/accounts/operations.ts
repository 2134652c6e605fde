import type { TableOf } from '../../operations/operation.ts';
import { MEMBERS, OWNERS } from '../../operations/roles.ts';
import type { OwnAccount } from './own-account.ts';

export const accountOperations: TableOf<OwnAccount, ''> = {
  room: '',
  tag: 'Accounts',
  operations: {
    changePassword: {
      http: 'POST /auth/password',
      summary: 'Change the password and end every session',
      roles: MEMBERS,
      login: 'own',
      body: 'PasswordChange',
      status: 204,
      returns: 'The password is changed.',
      errors: ['invalid_credentials', 'rate_limited', 'overloaded'],
      isPatient: true,
      options: ['client'],
    },
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
    deleteAccount: {
      http: 'DELETE /account',
      summary: 'Close the account and erase it',
      roles: OWNERS,
      login: 'own',
      body: 'AccountDeletion',
      status: 204,
      returns: 'No token and no key of the account works; the rest is being erased.',
      errors: ['invalid_credentials', 'rate_limited', 'overloaded'],
      isPatient: true,
      options: ['client'],
    },
  },
};
