import { basename, relative } from 'node:path';
import { IdentityError, type IdentityService } from '../../../src/index.ts';
import type { AccountOverview, PlanLimits } from '../../../src/types.ts';
import { type GivenPassword, generatePassword } from '../input/password.ts';
import { DEFAULT_STORAGE, isOnNetwork, labelOf } from '../input/storage-url.ts';
import { visible } from '../output/terminal.ts';
import { type OidcSettings, redirectUriOf } from './oidc.ts';
import { isLoopback, type Settings } from './settings.ts';

export function greeting(origin: string, start: Start, settings: Settings): string {
  const { version, place } = settings;
  const isUnknown = settings.publicUrl === undefined && isLoopback(settings.host);
  const head = [
    `Agent Identity Service ${version} is ready.`,
    `  Page       ${origin}/`,
    `  API        ${origin}/api`,
    ...(isUnknown ? ['             other machines cannot reach it: set --host and --public-url'] : []),
    `  Reference  ${origin}/reference`,
    `  Storage    ${visible(labelOf(place))}`,
    ...(settings.oidc === undefined ? [] : issuer(origin, settings, settings.oidc)),
  ];
  if (!start.first) return [...head, '', resetHint(start.email, settings)].join('\n');
  return [...head, '', ...account(start, settings), '', ...commands(origin, start, settings)].join('\n');
}

function issuer(origin: string, { publicUrl }: Settings, { provider }: OidcSettings): readonly string[] {
  return [
    `  Sign-in    ${visible(provider.issuer)}`,
    `             which must know the redirect URI ${visible(redirectUriOf(publicUrl ?? `${origin}/api`))}`,
  ];
}

function account({ email, password, plan, limits }: Start & { first: true }, settings: Settings): string[] {
  return [
    'This is the first start: the account was made.',
    `  E-mail     ${visible(email)}`,
    password.origin === 'generated'
      ? `  Password   ${password.text}   (shown this once)`
      : '  Password   as given',
    `  Plan       ${plan}: ${planText(limits)}`,
    ...(limits.verifications_per_minute === null
      ? []
      : [
          `             change it with ${visible(accountCommand(`plan ${shellWord(email)} team`, settings))}`,
        ]),
  ];
}

function planText({ keys, passports, verifications_per_minute: verifications }: PlanLimits): string {
  const countedFields = { keys, passports, 'verifications per minute': verifications };
  return Object.entries(countedFields)
    .map(([name, limit]) => `${limit?.toLocaleString('en') ?? 'any number of'} ${name}`)
    .join(', ');
}

function commands(origin: string, start: Start & { first: true }, { passwordFile }: Settings): string[] {
  const [login, key, passport, verify] = firstCommands(`${origin}/api`, { ...start, passwordFile });
  return [
    'Four commands to the first verdict. Copy them into a shell, one after another:',
    '',
    ...(start.password.origin === 'environment'
      ? ['1. Log in (with AGENT_IDENTITY_PASSWORD set in that shell as it is here):']
      : ['1. Log in:']),
    '',
    login,
    '',
    '2. Make an API key:',
    '',
    key,
    '',
    '3. Issue a passport: this agent may create payments of up to 100 EUR, each with its amount:',
    '',
    passport,
    '',
    '4. Ask for two verdicts: 25 EUR is an ALLOW, 2500 EUR a DENY with its reason:',
    '',
    verify,
    '',
  ];
}

function resetHint(email: string | undefined, settings: Settings): string {
  const line = accountCommand(`password ${email === undefined ? '<email>' : shellWord(email)}`, settings);
  return `Password forgotten? Set a new one with:\n  ${visible(line)}`;
}

function accountCommand(words: string, { place }: Settings): string {
  // The URL of a server may hold a password.
  const url = isOnNetwork(place) ? '"$AGENT_IDENTITY_STORAGE"' : shellWord(place.url);
  const storage = place.url === DEFAULT_STORAGE ? '' : ` --storage ${url}`;
  return `${thisCommand()} account ${words}${storage}`;
}

function thisCommand(): string {
  const script = process.argv[1] ?? '';
  if (basename(script) !== 'cli.js') return 'agent-identity';
  return `node ${shellWord(relative(process.cwd(), script))}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

interface FirstLogin {
  readonly email: string;
  readonly password: GivenPassword;
  readonly passwordFile?: string | undefined;
}

type FourCommands = readonly [login: string, key: string, passport: string, verify: string];

/**
 * Returns the steps to the first verdict as four lines for a POSIX shell with curl and node. They log in, create a key,
 * issue a passport, and ask for an ALLOW and a DENY. A password that you chose is never printed.
 */
function firstCommands(baseUrl: string, login: FirstLogin): FourCommands {
  const post = (path: string, ...otherArgs: string[]): string =>
    ['curl', '-sS', shellText(`${baseUrl}${path}`), "-H 'Content-Type: application/json'", ...otherArgs].join(
      ' ',
    );
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const { email, password } = login;
  const loginCall =
    password.origin === 'generated'
      ? post('/auth/login', '-d', shellText(JSON.stringify({ email, password: password.text })))
      : `node -p ${shellText(loginScript(login))} | ${post('/auth/login', '-d @-')}`;
  return [
    `TOKEN=$(${loginCall} | ${field('access_token')})`,
    `KEY=$(${post('/keys', bearer, '-d', shellText(JSON.stringify({ name: 'first' })))} | ${field('key')})`,
    `${post('/passports', bearer, '-d', shellText(JSON.stringify(PASSPORT)))}; echo`,
    `for amount in 25 2500; do ${post('/verify', '-H "X-API-Key: $KEY"', '-d', INTENT)}; echo; done`,
  ];
}

const PASSPORT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
};

const INTENT = `'{"agent_id":"did:web:example.com:agents:shopper","action":"payments.create","parameters":{"amount":'$amount',"currency":"EUR"}}'`;

function loginScript({ email, password, passwordFile }: FirstLogin): string {
  const text =
    password.origin === 'file' && passwordFile !== undefined && passwordFile !== '-'
      ? `fs.readFileSync(${JSON.stringify(passwordFile)},"utf8").replace(/\\r?\\n$/,"")`
      : 'process.env.AGENT_IDENTITY_PASSWORD';
  return `JSON.stringify({email:${JSON.stringify(email)},password:${text}})`;
}

function field(name: string): string {
  return `sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'`;
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export type Start =
  | ({ readonly first: true; readonly email: string; readonly password: GivenPassword } & Pick<
      AccountOverview,
      'plan' | 'limits'
    >)
  /** An account already existed. `email` is set if there is only one account. */
  | { readonly first: false; readonly email?: string };

export async function ensureAccount(
  service: IdentityService,
  email: string,
  givenPassword: GivenPassword | undefined,
): Promise<Start> {
  const startBefore = await existing(service);
  if (startBefore !== undefined) return startBefore;
  const password = givenPassword ?? generatePassword();
  try {
    const account = await service.accounts.create({ email, password: password.text });
    const { plan, limits } = await service.account({ account_id: account.id });
    return { first: true, email: account.email ?? email, password, plan, limits };
  } catch (error) {
    // Another process was faster: this is not the first start.
    const isTaken = error instanceof IdentityError && error.code === 'already_exists';
    if (!isTaken) throw error;
    return (await existing(service)) ?? { first: false };
  }
}

async function existing(service: IdentityService): Promise<Start | undefined> {
  const { data } = await service.accounts.list({ limit: 2 });
  const [onlyAccount, otherAccount] = data;
  if (onlyAccount === undefined) return undefined;
  return {
    first: false,
    ...(otherAccount === undefined && onlyAccount.email !== null && { email: onlyAccount.email }),
  };
}
