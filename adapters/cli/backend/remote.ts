import { type AdminClient, createAdminClient, createIdentityClient } from '../../../src/client.ts';
import { askPassword } from '../input/password.ts';
import { usageError } from '../output/error.ts';
import type { Backend } from './verbs.ts';

/** Which service, and who signs in there. */
export interface RemoteOptions {
  readonly url: string;
  readonly email: string;
  readonly passwordFile?: string;
}

/** The service behind a URL. It signs in when a verb first needs it, and out again at the end. */
export function createRemoteBackend(options: RemoteOptions): Backend {
  const baseUrl = readBaseUrl(options.url);
  let opened: Promise<Manager> | undefined;

  async function manage<Answer>(use: (admin: AdminClient) => Promise<Answer>): Promise<Answer> {
    opened ??= openManager(baseUrl, options);
    return use((await opened).admin);
  }

  return {
    createKey: (input) => manage(({ keys }) => keys.create(input)),
    listKeys: (page) => manage(({ keys }) => keys.list(page)),
    updateKey: (id, patch) => manage(({ keys }) => keys.update(id, patch)),
    rotateKey: (id, rotation) => manage(({ keys }) => keys.rotate(id, rotation)),
    revokeKey: (id) => manage(({ keys }) => keys.revoke(id)),
    createPassport: (input) => manage(({ passports }) => passports.create(input)),
    listPassports: (query) => manage(({ passports }) => passports.list(query)),
    getPassport: (agentId) => manage(({ passports }) => passports.get(agentId)),
    listPassportVersions: (agentId, page) => manage(({ passports }) => passports.versions(agentId, page)),
    updatePassport: (agentId, patch, condition) =>
      manage(({ passports }) => passports.update(agentId, patch, condition)),
    listVerifications: (query) => manage(({ verifications }) => verifications.list(query)),
    exportVerifications: (filter) => manage(({ verifications }) => verifications.csv(filter)),
    analytics: (query) => manage((admin) => admin.analytics(query)),
    revoke: (input) => manage((admin) => admin.revoke(input)),
    suspend: (input) => manage((admin) => admin.suspend(input)),
    reinstate: (input) => manage((admin) => admin.reinstate(input)),
    async verify(intent) {
      const apiKey = process.env['AGENT_IDENTITY_API_KEY'];
      if (apiKey === undefined) throw usageError('Set AGENT_IDENTITY_API_KEY to an API key.');
      return createIdentityClient({ baseUrl, apiKey }).verify(intent);
    },
    async close() {
      const manager = await opened?.catch(() => undefined);
      // The session ends by itself as well: that this fails is no failure of the verb.
      if (manager?.isOurs) await manager.admin.logout().catch(() => undefined);
    },
  };
}

interface Manager {
  readonly admin: AdminClient;
  /** Whether its session is opened here, and so is to be closed here. */
  readonly isOurs: boolean;
}

async function openManager(baseUrl: string, { email, passwordFile }: RemoteOptions): Promise<Manager> {
  const accessToken = process.env['AGENT_IDENTITY_TOKEN'];
  if (accessToken !== undefined && passwordFile === undefined) {
    return { admin: createAdminClient({ baseUrl, accessToken }), isOurs: false };
  }
  const password = await askPassword(passwordFile, email);
  return { admin: createAdminClient({ baseUrl, email, password }), isOurs: true };
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
