import { MEMBER_STATUSES } from '../../base/values/vocabulary.ts';
import { MEMBERS, OWNERS } from '../../operations/roles.ts';
import type { AcceptInput, LinkInput, MemberInput, MemberPatch, MemberQuery } from '../../service.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { pageOf, pageParameters } from '../page-query.ts';

const shared = { tag: 'Members', verb: 'members', credential: 'session' } as const;

/** A host that signs people in manages them itself. */
const ofOwnLogins = {
  ...shared,
  ownLogin: true,
  needs: ({ serving }: Parameters<NonNullable<Endpoint['needs']>>[0]) => serving.logins,
} as const;

const OWNERS_AND_SELF = [...OWNERS, 'self'] as const;

/** The endpoints of the members of an account, and of the links with which they join. */
export const memberEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    path: '/members',
    needs: ({ serving }, hasHostLogin) => serving.logins || hasHostLogin === true,
    summary: 'List the members, newest first',
    role: MEMBERS,
    query: [
      {
        name: 'status',
        description: 'Only members of this status; default: all except removed ones.',
        schema: { type: 'string', enum: MEMBER_STATUSES },
      },
      ...pageParameters,
    ],
    success: { status: 200, description: 'A page of members.', schema: 'MemberPage' },
    async handle({ service, caller, query, signal }) {
      const { limit: _, cursor: __, ...filters } = query;
      const asked = { ...pageOf(query), ...filters } as MemberQuery;
      return { body: await service.members.list(asked, { ...caller, signal: signal() }) };
    },
  }),
  endpoint({
    ...ofOwnLogins,
    method: 'POST',
    path: '/members',
    summary: 'Invite a person and get the link once',
    role: OWNERS,
    writes: true,
    body: { schema: 'MemberRequest' },
    success: { status: 201, description: 'The member with its link.', schema: 'NewMember' },
    errors: ['plan_limit_reached'],
    handle: async ({ service, caller, body }) => ({
      body: await service.members.invite(body as MemberInput, caller),
    }),
  }),
  endpoint({
    ...ofOwnLogins,
    method: 'POST',
    path: '/members/{id}/link',
    summary: 'Create a sign-in link for a member',
    role: OWNERS,
    writes: true,
    success: { status: 201, description: 'The link.', schema: 'MemberLink' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, params }) => ({
      body: await service.members.link(params['id'] ?? '', caller),
    }),
  }),
  endpoint({
    ...ofOwnLogins,
    method: 'PATCH',
    path: '/members/{id}',
    summary: 'Change the role or the name of a member',
    role: OWNERS,
    writes: true,
    body: { schema: 'MemberPatch' },
    success: { status: 200, description: 'The member as it is now.', schema: 'Member' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, params, body }) => ({
      body: await service.members.update(params['id'] ?? '', body as MemberPatch, caller),
    }),
  }),
  endpoint({
    ...ofOwnLogins,
    method: 'DELETE',
    path: '/members/{id}',
    summary: 'Remove a member',
    role: OWNERS_AND_SELF,
    query: [
      {
        name: 'revoke_keys',
        description: 'true: the keys that the member made are revoked as well.',
        schema: { type: 'boolean' },
      },
    ],
    success: { status: 204, description: 'The member is removed.' },
    errors: ['not_found', 'conflict'],
    async handle({ service, caller, params, query }) {
      const removal = { revoke_keys: query['revoke_keys'] === 'true' };
      await service.members.remove(params['id'] ?? '', removal, caller);
      return {};
    },
  }),
  endpoint({
    ...ofOwnLogins,
    method: 'DELETE',
    path: '/members/{id}/sessions',
    summary: 'End every session of a member at once, on every node',
    role: OWNERS_AND_SELF,
    success: { status: 204, description: 'Every token of the member is dead.' },
    errors: ['not_found'],
    async handle({ service, caller, params }) {
      await service.members.endSessions(params['id'] ?? '', caller);
      return {};
    },
  }),
  endpoint({
    ...ofOwnLogins,
    method: 'POST',
    path: '/auth/link',
    verb: 'readLink',
    summary: 'Show the purpose of a link without using it',
    credential: 'none',
    body: { schema: 'LinkRequest' },
    success: { status: 200, description: 'The facts of the link.', schema: 'ReadLink' },
    errors: ['not_found', 'rate_limited'],
    handle: async ({ service, body, client }) => ({
      body: await service.readLink(body as LinkInput, client()),
    }),
  }),
  endpoint({
    ...ofOwnLogins,
    method: 'POST',
    path: '/auth/accept',
    verb: 'acceptLink',
    patient: true,
    summary: 'Use a link to choose a password and sign in',
    credential: 'none',
    body: { schema: 'AcceptRequest' },
    success: { status: 200, description: 'A session of one hour.', schema: 'Session' },
    errors: ['not_found', 'already_exists', 'plan_limit_reached', 'conflict', 'rate_limited', 'overloaded'],
    handle: async ({ service, body, client }) => ({
      body: await service.acceptLink(body as AcceptInput, client()),
    }),
  }),
];
