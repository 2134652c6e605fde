import { basename, relative } from 'node:path';
import type { PlanLimits } from '../../../src/types.ts';
import { DEFAULT_STORAGE, isOnNetwork, labelOf } from '../input/storage-url.ts';
import { visible } from '../output/terminal.ts';
import type { Start } from './first-account.ts';
import { firstCommands } from './first-commands.ts';
import { type OidcSettings, redirectUriOf } from './oidc.ts';
import { isLoopback, type Settings } from './settings.ts';

/** Returns the text that a person reads when the service has started. */
export function greeting(origin: string, start: Start, settings: Settings): string {
  const { version, place } = settings;
  const isUnknown = settings.publicUrl === undefined && isLoopback(settings.host);
  const head = [
    `Agent Identity Service ${version} is ready.`,
    `  Page       ${origin}/`,
    `  API        ${origin}/api`,
    ...(isUnknown ? ['             strangers cannot reach it: give them an address by --public-url'] : []),
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
  const counted = { keys, passports, 'verifications per minute': verifications };
  return Object.entries(counted)
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

/** Returns the command line of an `account` command on the storage of this service. */
function accountCommand(rest: string, { place }: Settings): string {
  // The URL of a server may hold a password.
  const url = isOnNetwork(place) ? '"$AGENT_IDENTITY_STORAGE"' : shellWord(place.url);
  const storage = place.url === DEFAULT_STORAGE ? '' : ` --storage ${url}`;
  return `${thisCommand()} account ${rest}${storage}`;
}

/** Returns the command line that called this command, so that a copied line finds it again. */
function thisCommand(): string {
  const script = process.argv[1] ?? '';
  if (basename(script) !== 'cli.js') return 'agent-identity';
  return `node ${shellWord(relative(process.cwd(), script))}`;
}

/** Returns a word that a POSIX shell reads as this text. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
