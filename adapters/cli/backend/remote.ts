import { createIdentityClient } from '../../../src/client.ts';
import { askPassword } from '../input/password.ts';
import { usageError } from '../output/error.ts';
import { type CallApi, createApi, openCsv } from './api.ts';
import type { Backend } from './backend.ts';

/** Which service, and who signs in there. */
export interface RemoteOptions {
  readonly url: string;
  readonly email: string;
  readonly passwordFile?: string;
}

/** The service behind a URL. It signs in when a verb first needs it, and out again at the end. */
export function createRemoteBackend(options: RemoteOptions): Backend {
  const baseUrl = readBaseUrl(options.url);
  const call = createApi(baseUrl);
  let session: Promise<Session> | undefined;

  async function manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    session ??= signIn(call, options);
    const { token } = await session;
    return (await call({ method, path, token, ...(body !== undefined && { body }) })) as Answer;
  }

  return {
    createKey: (input) => manage('POST', '/keys', input),
    listKeys: (page = {}) => manage('GET', `/keys${queryOf(page)}`),
    updateKey: (id, patch) => manage('PATCH', `/keys/${encodeURIComponent(id)}`, patch),
    rotateKey: (id, rotation) => manage('POST', `/keys/${encodeURIComponent(id)}/rotate`, rotation),
    revokeKey: (id) => manage('DELETE', `/keys/${encodeURIComponent(id)}`),
    createPassport: (input) => manage('POST', '/passports', input),
    listPassports: (query = {}) => manage('GET', `/passports${queryOf(query)}`),
    getPassport: (agentId) => manage('GET', `/passports/${encodeURIComponent(agentId)}`),
    listPassportVersions: (agentId, page = {}) =>
      manage('GET', `/passports/${encodeURIComponent(agentId)}/versions${queryOf(page)}`),
    listVerifications: (query = {}) => manage('GET', `/verifications${queryOf(query)}`),
    async exportVerifications(filter) {
      session ??= signIn(call, options);
      const { token } = await session;
      return openCsv(baseUrl, { path: `/verifications${queryOf(filter)}`, token });
    },
    analytics: (query = {}) => manage('GET', `/analytics${queryOf(query)}`),
    revoke: (input) => manage('POST', '/revoke', input),
    suspend: (input) => manage('POST', '/suspend', input),
    reinstate: (input) => manage('POST', '/reinstate', input),
    async verify(intent) {
      const apiKey = process.env['AGENT_IDENTITY_API_KEY'];
      if (apiKey === undefined) throw usageError('Set AGENT_IDENTITY_API_KEY to an API key.');
      return createIdentityClient({ baseUrl, apiKey }).verify(intent);
    },
    async close() {
      const opened = await session?.catch(() => undefined);
      if (opened?.isOurs !== true) return;
      // The session ends by itself as well: that this fails is no failure of the verb.
      await call({ method: 'POST', path: '/auth/logout', token: opened.token }).catch(() => undefined);
    },
  };
}

interface Session {
  readonly token: string;
  /** Whether it was opened here, and so is to be closed here. */
  readonly isOurs: boolean;
}

async function signIn(call: CallApi, { email, passwordFile }: RemoteOptions): Promise<Session> {
  const given = process.env['AGENT_IDENTITY_TOKEN'];
  if (given !== undefined && passwordFile === undefined) return { token: given, isOurs: false };
  const password = await askPassword(passwordFile, email);
  const answer = await call({ method: 'POST', path: '/auth/login', body: { email, password } });
  const { access_token: token } = Object(answer) as { access_token?: unknown };
  if (typeof token !== 'string') throw new Error('The service opened no session.');
  return { token, isOurs: true };
}

/** The address of the API at `text`, or a usage error. Without a path the API is where `serve` puts it. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw usageError('--url must be like http://localhost:3000/api');
  }
  return `${url.origin}${url.pathname === '/' ? '/api' : url.pathname.replace(/\/+$/, '')}`;
}

function queryOf(query: object): string {
  const named = Object.entries(query).filter(([, value]) => value !== undefined);
  return named.length === 0
    ? ''
    : `?${new URLSearchParams(named.map(([name, value]) => [name, `${value}`]))}`;
}
