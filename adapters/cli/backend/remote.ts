import { createAdminClient, createIdentityClient } from '../../../src/client.ts';
import { IdentityError } from '../../../src/index.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { askPassword } from '../input/password.ts';
import { readCredential } from '../input/variables.ts';
import { usageError } from '../output/error.ts';
import { IMPORTED_AT_ONCE, importBySteps } from './import-by-steps.ts';
import type { Verifier, WebhookBackend } from './verbs.ts';

/** The options that say which service is meant, and who signs in there. */
export interface RemoteOptions {
  readonly url: string;
  readonly email: string;
  readonly passwordFile?: string;
}

/** Opens an account of the service behind a URL. It signs in with the first call, and out again at the end. */
export async function openRemoteBackend({
  url,
  email,
  passwordFile,
}: RemoteOptions): Promise<WebhookBackend> {
  const baseUrl = readBaseUrl(url);
  const accessToken = passwordFile === undefined ? readCredential('AGENT_IDENTITY_TOKEN') : undefined;
  const isOurSession = accessToken === undefined;
  const who = isOurSession ? { email, password: await askPassword(passwordFile, email) } : { accessToken };
  const admin = createAdminClient({ baseUrl, ...who });
  return {
    ...admin,
    importPassports: (list) => importBySteps(admin, list),
    importsAtOnce: IMPORTED_AT_ONCE,
    async finishErasures() {},
    logTile: (logId, path) => readTile(`${baseUrl}/logs/${logId}/${path}`),
    async close() {
      // The session expires anyway: a failure here is not a failure of the verb.
      if (isOurSession) await admin.logout().catch(() => undefined);
    },
  };
}

/** Opens the verdicts of the service behind a URL, with the API key of the environment. */
export async function openRemoteVerifier({ url }: Pick<RemoteOptions, 'url'>): Promise<Verifier> {
  const baseUrl = readBaseUrl(url);
  const apiKey = readCredential('AGENT_IDENTITY_API_KEY');
  if (apiKey === undefined) throw usageError('Set AGENT_IDENTITY_API_KEY to an API key.');
  return { ...createIdentityClient({ baseUrl, apiKey }), async close() {} };
}

async function readTile(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  throw new IdentityError('not_found', `${url} answered ${answer.status}.`);
}
