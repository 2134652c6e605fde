import { MEMBER_STATUSES } from '../base/values/vocabulary.ts';
import type { TableOf } from '../operations/operation.ts';
import { PAGE } from '../operations/parameters.ts';
import { MEMBERS, OWNERS, type RoleEntry } from '../operations/roles.ts';
import type { AccountMembers } from './members.ts';
import type { AccountDeletions, PasswordChanges } from './own-login.ts';

const OWNERS_AND_SELF: readonly RoleEntry[] = [...OWNERS, 'self'];

export const memberOperations: TableOf<AccountMembers, 'members'> = {
  room: 'members',
  tag: 'Members',
  operations: {
    list: {
      http: 'GET /members',
      summary: 'List the members, newest first',
      roles: MEMBERS,
      login: 'any',
      query: [
        {
          name: 'status',
          description: 'Only members of this status; default: all except removed ones.',
          schema: { type: 'string', enum: MEMBER_STATUSES },
        },
        ...PAGE,
      ],
      status: 200,
      answer: 'MemberPage',
      returns: 'A page of members.',
      isAbortable: true,
    },
    invite: {
      http: 'POST /members',
      summary: 'Invite a person and get the link once',
      roles: OWNERS,
      login: 'own',
      body: 'MemberRequest',
      status: 201,
      answer: 'NewMember',
      returns: 'The member with its link.',
      has: ['member', 'link'],
      errors: ['plan_limit_reached'],
      counts: 'write',
    },
    link: {
      http: 'POST /members/{id}/link',
      summary: 'Create a sign-in link for a member',
      roles: OWNERS,
      login: 'own',
      status: 201,
      answer: 'MemberLink',
      returns: 'The link.',
      has: ['token', 'expires_at'],
      errors: ['not_found', 'conflict'],
      counts: 'write',
    },
    update: {
      http: 'PATCH /members/{id}',
      summary: 'Change the role or the name of a member',
      roles: OWNERS,
      login: 'own',
      body: 'MemberPatch',
      status: 200,
      answer: 'Member',
      returns: 'The member as it is now.',
      has: ['id', 'role'],
      errors: ['not_found', 'conflict'],
      counts: 'write',
    },
    remove: {
      http: 'DELETE /members/{id}',
      summary: 'Remove a member',
      roles: OWNERS_AND_SELF,
      login: 'own',
      query: [
        {
          name: 'revoke_keys',
          description: 'true: the keys that the member made are revoked as well.',
          schema: { type: 'boolean' },
        },
      ],
      status: 204,
      returns: 'The member is removed.',
      errors: ['not_found', 'conflict'],
    },
    endSessions: {
      http: 'DELETE /members/{id}/sessions',
      summary: 'End every session of a member at once, on every node',
      roles: OWNERS_AND_SELF,
      login: 'own',
      status: 204,
      returns: 'Every token of the member is dead.',
      errors: ['not_found'],
    },
  },
};

export const passwordOperations: TableOf<PasswordChanges, ''> = {
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
      errors: ['invalid_credentials', 'conflict', 'rate_limited', 'overloaded'],
      isPatient: true,
      options: ['client'],
    },
  },
};

export const deletionOperations: TableOf<AccountDeletions, ''> = {
  room: '',
  tag: 'Accounts',
  operations: {
    deleteAccount: {
      http: 'DELETE /account',
      summary: 'Close the account and erase it',
      roles: OWNERS,
      login: 'own',
      body: 'AccountDeletion',
      status: 204,
      returns: 'No token and no key of the account works; the rest is being erased.',
      errors: ['invalid_credentials', 'conflict', 'rate_limited', 'overloaded'],
      isPatient: true,
      options: ['client'],
    },
  },
};
