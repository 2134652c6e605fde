/** Reads the settings of `serve` for the issuer that signs people in. */

import { ROLES } from '../../../src/http/index.ts';
import { IdentityError, type IdentityService, type Role } from '../../../src/index.ts';
import type { MappedPerson, OidcClaims, PeopleOptions } from '../../../src/types.ts';
import { type OpenidProviderOptions, openidProvider } from '../../oidc/index.ts';
import { ACCOUNT_NAME } from '../backend/named-account.ts';
import { nameOf, readJsonList, readSecretFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';

export interface OidcServeOptions {
  readonly oidcIssuer?: string;
  readonly oidcClientId?: string;
  readonly oidcClientSecretFile?: string;
  readonly oidcScope: string;
  readonly oidcLabel?: string;
  readonly oidcMap?: string;
}

export interface OidcSettings {
  readonly provider: Omit<OpenidProviderOptions, 'redirectUri'>;
  readonly label: string | undefined;
  readonly people: PeopleMap | undefined;
}

const ALONE = {
  oidcClientId: '--oidc-client-id',
  oidcClientSecretFile: '--oidc-client-secret-file',
  oidcLabel: '--oidc-label',
  oidcMap: '--oidc-map',
} as const;

const SETTING_NAMES: Readonly<Record<string, string>> = {
  issuer: '--oidc-issuer',
  clientId: '--oidc-client-id',
  scope: '--oidc-scope',
  clientSecret: 'AGENT_IDENTITY_OIDC_CLIENT_SECRET or --oidc-client-secret-file',
  redirectUri: '--public-url',
};

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
    throw usageError('--oidc-issuer needs a package next to this command: npm install openid-client', cause);
  }
}

/** Returns the redirect address for the issuer, which is the address of the dashboard. */
export function redirectUriOf(publicUrl: string): string {
  return `${publicUrl.replace(/\/$/, '').replace(/\/api$/, '')}/`;
}

export function peopleOf(settings: OidcSettings | undefined, publicUrl: string): PeopleOptions {
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
    const [name = '', ...otherWords] = error.message.replace('openidProvider: ', '').split(' ');
    throw usageError([SETTING_NAMES[name] ?? name, ...otherWords].join(' '), error);
  }
}

/**
 * An entry of the role mapping. If a person's claim has the value, the person gets the role in the account. The first
 * matching entry counts.
 */
interface Entry {
  /** The name of a claim, or a JSON Pointer that begins with `/`. */
  readonly claim: string;
  /** The value, which must equal the claim or one of its elements. */
  readonly value: string | number | boolean;
  /** The account: its e-mail, its id, or the application's own id. */
  readonly account: string;
  readonly role: Role;
}

interface PeopleMap {
  /**
   * Finds the accounts of the entries. Throws a usage error if an account does not exist. Before this call, `map` maps
   * no person.
   */
  bind(service: IdentityService): Promise<void>;
  readonly map: (claims: OidcClaims) => MappedPerson | null;
}

export async function readPeopleMap(path: string): Promise<PeopleMap> {
  const name = nameOf(path);
  const list = await readJsonList(path);
  if (list.length === 0) throw usageError(`${name}: There must be at least one entry.`);
  const entries = list.map((entry, index) => readEntry(entry, `${name}: entry ${index + 1}`));
  const ids = new Map<string, string>();
  return {
    async bind(service) {
      for (const [index, { account }] of entries.entries()) {
        const id = ids.get(account) ?? (await idOf(service, account));
        if (id === undefined) throw usageError(`${name}: entry ${index + 1} names no account: ${account}`);
        ids.set(account, id);
      }
    },
    map(claims) {
      const entry = entries.find(({ claim, value }) => has(claimAt(claims, claim), value));
      const account_id = entry && ids.get(entry.account);
      return entry === undefined || account_id === undefined ? null : { account_id, role: entry.role };
    },
  };
}

const FIELDS = ['claim', 'value', 'account', 'role'] as const;

function readEntry(givenValue: unknown, name: string): Entry {
  const entry = Object(givenValue) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(entry).find((field) => !FIELDS.includes(field as keyof Entry));
  if (unknown !== undefined)
    throw usageError(`${name}: There is no field ${JSON.stringify(unknown)}. Remove it.`);
  const { claim, value, account, role } = entry;
  if (typeof claim !== 'string' || claim === '' || claim === '/')
    throw usageError(`${name}: claim must be the name of a claim, or a JSON Pointer to it.`);
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw usageError(`${name}: value must be a text, a number, or true or false.`);
  if (typeof account !== 'string' || account === '')
    throw usageError(`${name}: account must be ${ACCOUNT_NAME}.`);
  if (!ROLES.includes(role as Role)) throw usageError(`${name}: role must be one of ${ROLES.join(', ')}.`);
  return { claim, value, account, role } as Entry;
}

async function idOf(service: IdentityService, account: string): Promise<string | undefined> {
  return (await service.accounts.find(account))?.id;
}

function claimAt(claims: OidcClaims, claim: string): unknown {
  const names = claim.startsWith('/')
    ? claim
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [claim];
  return names.reduce<unknown>((value, part) => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isThere ? (value as Readonly<Record<string, unknown>>)[part] : undefined;
  }, claims);
}

function has(claim: unknown, value: Entry['value']): boolean {
  return claim === value || (Array.isArray(claim) && claim.includes(value));
}
