/** The issuer that signs people in, from the settings of `serve`. */
import { IdentityError, type IdentityService, type IdentityServiceOptions } from '../../../src/index.ts';
import { type OpenidProviderOptions, openidProvider } from '../../oidc/index.ts';
import { readSecretFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { type PeopleMap, readPeopleMap } from './people-map.ts';

/** The options of `serve` about the issuer. */
export interface OidcServeOptions {
  readonly oidcIssuer?: string;
  readonly oidcClientId?: string;
  readonly oidcClientSecretFile?: string;
  readonly oidcScope: string;
  readonly oidcLabel?: string;
  readonly oidcMap?: string;
}

/** An issuer whose settings were checked. */
export interface OidcSettings {
  readonly provider: Omit<OpenidProviderOptions, 'redirectUri'>;
  readonly label: string | undefined;
  readonly people: PeopleMap | undefined;
}

/** The options that say nothing without an issuer. */
const ALONE = {
  oidcClientId: '--oidc-client-id',
  oidcClientSecretFile: '--oidc-client-secret-file',
  oidcLabel: '--oidc-label',
  oidcMap: '--oidc-map',
} as const;

const SETTING_NAMES: Readonly<Record<string, string>> = {
  ...{ issuer: '--oidc-issuer', clientId: '--oidc-client-id', scope: '--oidc-scope' },
  ...{ clientSecret: 'AGENT_IDENTITY_OIDC_CLIENT_SECRET or --oidc-client-secret-file' },
  redirectUri: '--public-url',
};

/**
 * Reads the settings of the issuer, its files and its package; `undefined` without an issuer, a usage error for what
 * cannot work.
 */
export async function readOidc(
  options: OidcServeOptions,
  { publicUrl, isLocal, allowLocalhost }: { publicUrl?: string; isLocal: boolean; allowLocalhost: boolean },
): Promise<OidcSettings | undefined> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcScope: scope, oidcLabel: label } = options;
  if (issuer === undefined) {
    for (const [name, flag] of Object.entries(ALONE)) {
      if (options[name as keyof typeof ALONE] !== undefined) throw usageError(`${flag} needs --oidc-issuer.`);
    }
    return undefined;
  }
  if (clientId === undefined) throw usageError('--oidc-issuer needs --oidc-client-id.');
  if (publicUrl === undefined && !isLocal)
    throw usageError('--oidc-issuer needs --public-url: the issuer sends people back there.');
  if (issuer.startsWith('http:') && !allowLocalhost)
    throw usageError('--oidc-issuer with http is only for a loopback host, with --allow-localhost.');
  const { oidcClientSecretFile: file, oidcMap } = options;
  const clientSecret =
    file === undefined ? process.env['AGENT_IDENTITY_OIDC_CLIENT_SECRET'] : await readSecretFile(file);
  const provider = { issuer, clientId, scope, ...(clientSecret !== undefined && { clientSecret }) };
  tryProvider({ ...provider, redirectUri: redirectUriOf(publicUrl ?? 'http://localhost/api') });
  const people = oidcMap === undefined ? undefined : await readPeopleMap(oidcMap);
  // The service would find out with the first sign-in.
  await assertInstalled();
  return { provider, label, people };
}

async function assertInstalled(): Promise<void> {
  try {
    await import('openid-client');
  } catch (cause) {
    throw usageError('--oidc-issuer needs a package beside this command: npm install openid-client', cause);
  }
}

/** Returns the address to which the issuer sends people back: that of the dashboard. */
export function redirectUriOf(publicUrl: string): string {
  return `${publicUrl.replace(/\/$/, '').replace(/\/api$/, '')}/`;
}

/** Returns the option `oidc` of the service at this URL. */
export function oidcOf(
  settings: OidcSettings | undefined,
  publicUrl: string,
): Pick<IdentityServiceOptions, 'oidc'> {
  if (settings === undefined) return {};
  const { provider, label, people } = settings;
  return {
    oidc: {
      provider: openidProvider({ ...provider, redirectUri: redirectUriOf(publicUrl) }),
      ...(label !== undefined && { label }),
      ...(people !== undefined && { map: people.map }),
    },
  };
}

/** Finds the accounts that the map names; a usage error for one that does not exist. */
export async function bindPeople(
  service: IdentityService,
  settings: OidcSettings | undefined,
): Promise<void> {
  await settings?.people?.bind(service);
}

function tryProvider(options: OpenidProviderOptions): void {
  try {
    openidProvider(options);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const [name = '', ...rest] = error.message.replace('openidProvider: ', '').split(' ');
    throw usageError([SETTING_NAMES[name] ?? name, ...rest].join(' '), error);
  }
}
