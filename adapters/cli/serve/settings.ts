import { isIP } from 'node:net';
import { authzen } from '../../../src/authzen/index.ts';
import { identity } from '../../../src/identity/index.ts';
import { type Account, IdentityError } from '../../../src/index.ts';
import { NO_SIGNER } from '../backend/operator.ts';
import { type GivenPassword, readGivenPassword } from '../input/password.ts';
import { readSecrets } from '../input/secrets.ts';
import { isOnNetwork, readStorageUrl, type StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import type { MetricsPlace } from './metrics-server.ts';
import { type OidcServeOptions, type OidcSettings, readOidc } from './oidc.ts';
import { preflight } from './preflight.ts';

/** The options of `serve` from Commander: flags, else environment variables, else defaults. */
export interface ServeOptions extends OidcServeOptions {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly storage: string;
  readonly durability: 'any' | 'required' | 'stated';
  /** The time limit in milliseconds. */
  readonly storageTimeout: number;
  readonly email: string;
  readonly passwordFile?: string;
  readonly secretFile?: string;
  readonly previousSecretFile?: string;
  readonly previousSecretsFile?: string;
  /** Only available as a flag. As an environment variable, it would accept any secret at every later start. */
  readonly secretLost?: true;
  readonly registration: 'open' | 'closed';
  readonly domainProof: 'claim' | 'required' | 'off';
  readonly allowLocalhost?: true;
  readonly authzen?: true;
  readonly authzenAgentDomain?: string;
  readonly authzenCheck?: 'path' | 'forwarded';
  readonly evidenceLog?: true;
  readonly accessTokens?: true;
  readonly metrics?: MetricsPlace;
  readonly consistency: 'default' | 'strict';
  readonly journal: 'batched' | 'strict';
  readonly retentionDays: number;
  readonly auditDays: number;
  /** Only available as a flag. As an environment variable, every later start would trust its clock. */
  readonly clockOk?: true;
  readonly rateLimits: 'on' | 'off';
  readonly defaultPlan: Account['plan'];
  readonly trustProxy: number;
  /** The time in seconds. */
  readonly idleTimeout: number;
  /** The time in seconds. */
  readonly answerTimeout: number;
  readonly webhooks: number;
  readonly passwordConcurrency: number;
  readonly log: 'text' | 'json';
}

export interface Settings extends Omit<ServeOptions, 'storage'> {
  readonly oidc: OidcSettings | undefined;
  readonly version: string;
  readonly place: StoragePlace;
  readonly password: GivenPassword | undefined;
  /** Absent if the storage has no stored secret and you gave none. */
  readonly secret: string | undefined;
  /** Present only during a change of the secret. */
  readonly previousSecret: string | undefined;
  /** Further secrets that may still encrypt signing keys or sign sessions. */
  readonly previousSecrets: readonly string[];
}

/** Reads the files in the options. Refuses settings that cannot work before anything is created. */
export async function readSettings(options: ServeOptions, version: string): Promise<Settings> {
  const place = readStorageUrl(options.storage);
  if (options.rateLimits === 'off' && !isLoopback(options.host)) {
    throw usageError('--rate-limits off is only for a loopback --host such as 127.0.0.1.');
  }
  if (options.allowLocalhost && !isLoopback(options.host)) {
    throw usageError('--allow-localhost is only for a loopback --host such as 127.0.0.1.');
  }
  refuseValueOf('AGENT_IDENTITY_ALLOW_LOCALHOST');
  refuseLostDomain(options);
  refuseLostLog(options);
  refuseLostTokens(options);
  if (options.clockOk && isOnNetwork(place)) {
    throw usageError('--clock-ok is for a sqlite database: the storage has a clock, so set this one by it.');
  }
  const password = await readGivenPassword(options.passwordFile);
  const { secret, previousSecret, previousSecrets } = await readSecrets(place, options);
  if (isOnNetwork(place) && secret === undefined) {
    throw usageError(
      'Set AGENT_IDENTITY_SECRET or --secret-file: all nodes of a storage on the network sign with the same secret.',
    );
  }
  if ((previousSecret !== undefined || previousSecrets.length > 0) && secret === undefined) {
    throw usageError('A previous signing secret needs a new one: AGENT_IDENTITY_SECRET or --secret-file.');
  }
  const { email } = options;
  const first = { email, password: password?.text, secret, previousSecret };
  const tryStart = async () => preflight({ ...first, options: toTry(options, previousSecrets) });
  await tryStart().catch(nameSettings);
  const oidc = await readOidc(options, {
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
    isLocal: isLoopback(options.host),
    allowLocalhost: options.allowLocalhost === true,
  });
  return { ...options, version, place, password, secret, previousSecret, previousSecrets, oidc };
}

function toTry(
  { publicUrl, authzenAgentDomain: agentDomain, allowLocalhost }: ServeOptions,
  previousSecrets: readonly string[],
) {
  return {
    allowLocalhost: allowLocalhost === true,
    capabilities: [
      identity({ previousSecrets, signer: NO_SIGNER, ...(publicUrl !== undefined && { publicUrl }) }),
      ...(agentDomain === undefined ? [] : [authzen({ agentDomain })]),
    ],
  };
}

/** Throws the first field error or invalid option under the name of its setting. */
export function nameSettings(error: unknown): never {
  if (!(error instanceof IdentityError)) throw error;
  const [first] = error.details.errors ?? [];
  if (first !== undefined) {
    throw usageError(`${SETTING_NAMES[first.path] ?? first.path}: ${first.message}`, error);
  }
  const [option = '', ...otherWords] = error.message.replace(/^create\w+: /, '').split(' ');
  const setting = SETTING_NAMES[option];
  throw setting === undefined ? error : usageError([setting, ...otherWords].join(' '), error);
}

/** Throws for AuthZEN settings that would have no effect. */
export function refuseLostDomain({
  authzen,
  authzenAgentDomain,
  authzenCheck,
}: Pick<ServeOptions, 'authzen' | 'authzenAgentDomain' | 'authzenCheck'>): void {
  refuseValueOf('AGENT_IDENTITY_AUTHZEN');
  if (authzenAgentDomain !== undefined && !authzen)
    throw usageError('--authzen-agent-domain needs --authzen.');
  if (authzenCheck !== undefined && !authzen) throw usageError('--authzen-check needs --authzen.');
}

function refuseLostTokens({ accessTokens, publicUrl, host }: ServeOptions): void {
  refuseValueOf('AGENT_IDENTITY_ACCESS_TOKENS');
  if (accessTokens && publicUrl === undefined && !isLoopback(host))
    throw usageError('--access-tokens needs --public-url: the address is part of every issuer.');
}

function refuseLostLog({ evidenceLog, publicUrl, host }: ServeOptions): void {
  refuseValueOf('AGENT_IDENTITY_EVIDENCE_LOG');
  if (evidenceLog && publicUrl === undefined && !isLoopback(host))
    throw usageError('--evidence-log needs --public-url: the address is the name of the logs.');
}

/** Throws if the environment variable of a flag has another value than 1. A flag is an option without a value. */
function refuseValueOf(name: string): void {
  if ((process.env[name] ?? '1') !== '1') throw usageError(`${name} must be 1, or not be set.`);
}

const SETTING_NAMES: Readonly<Record<string, string>> = {
  '/email': 'AGENT_IDENTITY_EMAIL or --email',
  '/password': 'AGENT_IDENTITY_PASSWORD or --password-file',
  'identity.publicUrl': 'AGENT_IDENTITY_PUBLIC_URL or --public-url',
  name: '--name',
  'authzen.agentDomain': 'AGENT_IDENTITY_AUTHZEN_AGENT_DOMAIN or --authzen-agent-domain',
};

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
