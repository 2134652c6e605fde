import type { AccountDeletion, Credentials, LogoutInput, PasswordChange } from '../../service.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

/** The endpoints to sign in, to sign out, and to open an account. */
export const authEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/auth/login',
    patient: true,
    tag: 'Accounts',
    summary: 'Sign in for an access token',
    credential: 'none',
    body: { schema: 'LoginRequest' },
    needs: ({ serving }) => serving.logins,
    success: { status: 200, description: 'A session of one hour.', schema: 'Session' },
    errors: ['invalid_credentials', 'rate_limited', 'overloaded'],
    handle: async ({ service, body, client }) => ({
      body: await service.login(body as Credentials, client()),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/auth/register',
    patient: true,
    tag: 'Accounts',
    summary: 'Open an account',
    credential: 'none',
    body: { schema: 'RegisterRequest' },
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
    tag: 'Accounts',
    summary: 'End this session at once, on every node; or every session of the account',
    credential: 'session',
    body: { schema: 'LogoutRequest', optional: true },
    needs: ({ serving }) => serving.logins,
    success: { status: 204, description: 'The token is dead.' },
    async handle({ service, caller, credential, body }) {
      await service.logout(credential, body as LogoutInput, caller);
      return {};
    },
  }),
  endpoint({
    method: 'POST',
    path: '/auth/password',
    patient: true,
    tag: 'Accounts',
    summary: 'Change the password; every access token of the account is dead, API keys live on',
    credential: 'session',
    body: { schema: 'PasswordChange' },
    needs: ({ serving }) => serving.logins,
    success: { status: 204, description: 'The password is changed.' },
    errors: ['invalid_credentials', 'rate_limited', 'overloaded'],
    async handle({ service, caller, body, client }) {
      await service.changePassword(body as PasswordChange, { ...caller, client: client() });
      return {};
    },
  }),
  endpoint({
    method: 'GET',
    path: '/account',
    tag: 'Accounts',
    summary: 'Show the account, what it uses and what its plan allows',
    credential: 'session',
    needs: ({ serving }) => serving.logins,
    success: { status: 200, description: 'The account.', schema: 'AccountOverview' },
    handle: async ({ service, caller }) => ({ body: await service.account(caller) }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/account',
    patient: true,
    tag: 'Accounts',
    summary: 'Close the account for good; all that it has is erased but the ids of its passports',
    credential: 'session',
    body: { schema: 'AccountDeletion' },
    needs: ({ serving }) => serving.logins,
    success: {
      status: 204,
      description: 'No token and no key of the account works; the rest is being erased.',
    },
    errors: ['invalid_credentials', 'rate_limited', 'overloaded'],
    async handle({ service, caller, body, client }) {
      await service.deleteAccount(body as AccountDeletion, { ...caller, client: client() });
      return {};
    },
  }),
];
