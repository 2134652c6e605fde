import type { Credentials, LogoutInput, OidcFinishInput } from '../../core.ts';
import { MEMBERS } from '../../operations/roles.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

const ofIssuer = {
  method: 'POST',
  room: 'oidc',
  patient: true,
  tag: 'Accounts',
  credential: 'none',
  ownLogin: true,
  needs: ({ serving }: Parameters<NonNullable<Endpoint['needs']>>[0]) => serving.oidcLabel !== undefined,
} as const;

export const authEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/auth/login',
    room: 'login',
    patient: true,
    tag: 'Accounts',
    summary: 'Sign in and get an access token',
    credential: 'none',
    body: { schema: 'LoginRequest' },
    ownLogin: true,
    needs: ({ serving }) => serving.logins,
    success: { status: 200, description: 'A session of one hour.', schema: 'Session' },
    errors: ['invalid_credentials', 'rate_limited', 'overloaded'],
    handle: async ({ service, body, client }) => ({
      body: await service.login(body as Credentials, client()),
    }),
  }),
  endpoint({
    ...ofIssuer,
    path: '/auth/oidc/start',
    summary: 'Begin a sign-in with the issuer of OpenID Connect',
    success: {
      status: 200,
      description: 'The page to go to, and what to keep until then.',
      schema: 'OidcStart',
    },
    errors: ['rate_limited', 'service_unreachable'],
    handle: async ({ service, client }) => ({ body: await service.oidc.start(client()) }),
  }),
  endpoint({
    ...ofIssuer,
    path: '/auth/oidc/finish',
    summary: 'Finish a sign-in with the issuer of OpenID Connect',
    body: { schema: 'OidcFinishRequest' },
    success: { status: 200, description: 'A session of one hour.', schema: 'Session' },
    errors: [
      ...(['invalid_credentials', 'not_found', 'conflict', 'plan_limit_reached', 'rate_limited'] as const),
      'service_unreachable',
    ],
    handle: async ({ service, body, client }) => ({
      body: await service.oidc.finish(body as OidcFinishInput, client()),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/register',
    room: 'register',
    patient: true,
    tag: 'Accounts',
    summary: 'Open an account',
    credential: 'none',
    body: { schema: 'RegisterRequest' },
    ownLogin: true,
    needs: ({ serving }) => serving.registration === 'open',
    success: { status: 201, description: 'The account.', schema: 'NewAccount' },
    errors: ['already_exists', 'rate_limited', 'overloaded'],
    async handle({ service, body, client }) {
      const { id, email, plan } = await service.register(body as Credentials, client());
      return { body: { id, email, plan } };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/logout',
    room: 'logout',
    tag: 'Accounts',
    summary: 'End this session, or every session of the member',
    credential: 'session',
    role: MEMBERS,
    body: { schema: 'LogoutRequest', optional: true },
    ownLogin: true,
    needs: ({ serving }) => serving.logins,
    success: { status: 204, description: 'The session is over.' },
    async handle({ service, caller, credential, body }) {
      await service.logout(credential, body as LogoutInput, caller);
      return {};
    },
  }),
];
