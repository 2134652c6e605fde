import { type AdminClient, createAdminClient, createIdentityClient } from '../../../src/client.ts';
import { isManagementKey } from '../../../src/http/index.ts';
import { IdentityError, type IdentityErrorCode, type Passport } from '../../../src/index.ts';
import type { PassportToImport } from '../import/passport-line.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { askPassword } from '../input/password.ts';
import { readCredential } from '../input/variables.ts';
import { usageError } from '../output/error.ts';
import type { Verifier, WebhookBackend } from './methods.ts';
import { patient } from './patience.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly email: string;
  readonly passwordFile?: string;
}

/** Opens an account of the service at a URL. It signs in at the first call, and signs out at the end. */
export async function openRemoteBackend({
  url,
  email,
  passwordFile,
}: RemoteOptions): Promise<WebhookBackend> {
  const baseUrl = readBaseUrl(url);
  const lentCredentials = passwordFile === undefined ? lentCredential() : undefined;
  const credentials = lentCredentials ?? { email, password: await askPassword(passwordFile, email) };
  const admin = createAdminClient({ baseUrl, ...credentials });
  return {
    ...admin,
    importPassports: (list) => importBySteps(admin, list),
    importsAtOnce: IMPORTED_AT_ONCE,
    async finishErasures() {},
    logTile: (logId, path) => readTile(`${baseUrl}/logs/${logId}/${path}`),
    async close() {
      // The session expires anyway: a failure here is not a failure of the verb.
      if (lentCredentials === undefined) await admin.logout().catch(() => undefined);
    },
  };
}

function lentCredential(): { readonly accessToken: string } | { readonly apiKey: string } | undefined {
  const accessToken = readCredential('AGENT_IDENTITY_TOKEN');
  if (accessToken !== undefined) return { accessToken };
  const apiKey = readCredential('AGENT_IDENTITY_API_KEY');
  return apiKey !== undefined && isManagementKey(apiKey) ? { apiKey } : undefined;
}

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

type Admin = Pick<AdminClient, 'passports' | 'suspend' | 'revoke'>;

/** The errors that concern one passport. Any other error concerns the service. */
const REFUSALS: readonly IdentityErrorCode[] = [
  ...(['already_exists', 'conflict', 'domain_claimed', 'domain_unproven', 'invalid_json'] as const),
  ...(['invalid_request', 'payload_too_large', 'plan_limit_reached'] as const),
];

const IMPORTED_AT_ONCE = 32;

export async function importBySteps(
  admin: Admin,
  passports: readonly PassportToImport[],
): Promise<readonly (Passport | IdentityError)[]> {
  const waiting = {
    passports: patient(admin.passports, ['create', 'update']),
    suspend: patient(admin, ['suspend']).suspend,
    revoke: admin.revoke,
  };
  const settledResults = await Promise.allSettled(passports.map((passport) => importOne(waiting, passport)));
  return settledResults.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    const isRefusal = result.reason instanceof IdentityError && REFUSALS.includes(result.reason.code);
    if (!isRefusal) throw result.reason;
    return result.reason;
  });
}

/**
 * Issues a passport with its status.
 *
 * A suspended or revoked passport needs several requests. The command issues it without allowed actions,
 * suspends it, and then adds the allowed actions. The passport therefore never allows more than the original.
 *
 * A revoked passport gets a new instant of revocation. A passport with child agents is suspended instead of
 * revoked, because no child can be issued for a revoked parent.
 */
async function importOne(
  { passports, suspend, revoke }: Admin,
  { input, standing, hasChildren }: PassportToImport,
): Promise<Passport> {
  const { status, suspended_until, suspension_reason, revocation_reason } = standing;
  if (status === 'active') return passports.create(input);
  const { agent_id } = await passports.create({ ...input, allowed_actions: [] });
  const isRevoked = status === 'revoked';
  await suspend({
    agent_id,
    ...(!isRevoked && suspension_reason && { reason: suspension_reason }),
    ...(!isRevoked && suspended_until && { until: suspended_until }),
  });
  const whole = await passports.update(agent_id, { allowed_actions: input.allowed_actions });
  if (!isRevoked || hasChildren) return whole;
  await revoke({ agent_id, ...(revocation_reason && { reason: revocation_reason }) });
  return passports.get(agent_id);
}
