import { type AdminClient, createAdminClient, createIdentityClient } from '../../../src/client.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { askPassword } from '../input/password.ts';
import { readCredential } from '../input/variables.ts';
import { usageError } from '../output/error.ts';
import { IMPORTED_AT_ONCE, importBySteps } from './import-by-steps.ts';
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
    importPassports: (list) => manage((admin) => importBySteps(admin, list)),
    importsAtOnce: IMPORTED_AT_ONCE,
    listPassports: (query) => manage(({ passports }) => passports.list(query)),
    getPassport: (agentId) => manage(({ passports }) => passports.get(agentId)),
    listPassportVersions: (agentId, page) => manage(({ passports }) => passports.versions(agentId, page)),
    signPassport: (agentId, input) => manage(({ passports }) => passports.sign(agentId, input)),
    effectivePassport: (agentId) => manage(({ passports }) => passports.effective(agentId)),
    listBudgets: (agentId, query) => manage(({ passports }) => passports.budgets(agentId, query)),
    getSpend: (id) => manage(({ spends }) => spends.get(id)),
    settleSpend: (verb, id, input, key) =>
      manage(({ spends }) => spends[verb](id, input, key === undefined ? {} : { idempotencyKey: key })),
    listApprovals: (query) => manage(({ approvals }) => approvals.list(query)),
    getApproval: (id) => manage(({ approvals }) => approvals.get(id)),
    decideApproval: (verb, id, decision) => manage(({ approvals }) => approvals[verb](id, decision)),
    updatePassport: (agentId, patch, condition) =>
      manage(({ passports }) => passports.update(agentId, patch, condition)),
    purgePassport: (agentId) => manage(({ passports }) => passports.purge(agentId)),
    claimDomain: (name) => manage(({ domains }) => domains.claim(name)),
    checkDomain: (name) => manage(({ domains }) => domains.check(name)),
    listDomains: (page) => manage(({ domains }) => domains.list(page)),
    releaseDomain: (name) => manage(({ domains }) => domains.release(name)),
    listVerifications: (query) => manage(({ verifications }) => verifications.list(query)),
    exportVerifications: (filter) => manage(({ verifications }) => verifications.csv(filter)),
    analytics: (query) => manage((admin) => admin.analytics(query)),
    revoke: (input) => manage((admin) => admin.revoke(input)),
    suspend: (input) => manage((admin) => admin.suspend(input)),
    reinstate: (input) => manage((admin) => admin.reinstate(input)),
    async verify(intent, key) {
      const apiKey = readCredential('AGENT_IDENTITY_API_KEY');
      if (apiKey === undefined) throw usageError('Set AGENT_IDENTITY_API_KEY to an API key.');
      return createIdentityClient({ baseUrl, apiKey }).verify(
        intent,
        key === undefined ? {} : { idempotencyKey: key },
      );
    },
    async *events(query, signal) {
      yield* await manage(async (admin) => admin.events(query, { signal }));
    },
    webhooks: {
      create: (input) => manage(({ webhooks }) => webhooks.create(input)),
      list: (page) => manage(({ webhooks }) => webhooks.list(page)),
      get: (id) => manage(({ webhooks }) => webhooks.get(id)),
      update: (id, patch) => manage(({ webhooks }) => webhooks.update(id, patch)),
      remove: (id) => manage(({ webhooks }) => webhooks.remove(id)),
      rotate: (id, rotation) => manage(({ webhooks }) => webhooks.rotate(id, rotation)),
      test: (id) => manage(({ webhooks }) => webhooks.test(id)),
      deliveries: (id, page) => manage(({ webhooks }) => webhooks.deliveries(id, page)),
      redeliver: (id, delivery) => manage(({ webhooks }) => webhooks.redeliver(id, delivery)),
    },
    async close() {
      const manager = await opened?.catch(() => undefined);
      // The session expires anyway: a failure here is not a failure of the verb.
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
  const accessToken = passwordFile === undefined ? readCredential('AGENT_IDENTITY_TOKEN') : undefined;
  if (accessToken !== undefined) {
    return { admin: createAdminClient({ baseUrl, accessToken }), isOurs: false };
  }
  const password = await askPassword(passwordFile, email);
  return { admin: createAdminClient({ baseUrl, email, password }), isOurs: true };
}
