import type { AcceptInput, LinkInput } from '../../core.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

const ofOwnLogins = {
  tag: 'Members',
  credential: 'none',
  ownLogin: true,
  needs: ({ serving }: Parameters<NonNullable<Endpoint['needs']>>[0]) => serving.logins,
} as const;

export const memberEndpoints: readonly Endpoint[] = [
  endpoint({
    ...ofOwnLogins,
    method: 'POST',
    path: '/auth/link',
    room: 'readLink',
    summary: 'Show the purpose of a link without using it',
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
    room: 'acceptLink',
    patient: true,
    summary: 'Use a link to choose a password and sign in',
    body: { schema: 'AcceptRequest' },
    success: { status: 200, description: 'A session of one hour.', schema: 'Session' },
    errors: ['not_found', 'already_exists', 'plan_limit_reached', 'conflict', 'rate_limited', 'overloaded'],
    handle: async ({ service, body, client }) => ({
      body: await service.acceptLink(body as AcceptInput, client()),
    }),
  }),
];
