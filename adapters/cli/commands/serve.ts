import { type Command, InvalidArgumentError, Option } from 'commander';
import { PLANS } from '../../../src/http/index.ts';
import { storageOption } from '../backend/backend.ts';
import { serve } from '../serve/serve.ts';
import { readSettings, type ServeOptions } from '../serve/settings.ts';

/** Adds `serve`: the service over HTTP. */
export function addServeCommand(program: Command, version: string): void {
  const option = (flags: string, description: string, env: string): Option =>
    new Option(flags, description).env(env);
  program
    .command('serve')
    .description('serve the API on /api and a page about it on /')
    .addOption(
      option('--port <number>', 'where to listen, 0 for any free port', 'PORT')
        .default(3000)
        .argParser(readPort),
    )
    .addOption(option('--host <address>', 'the address to listen on', 'HOST').default('127.0.0.1'))
    .addOption(storageOption())
    .addOption(
      option(
        '--durability <class>',
        'required refuses a storage that may lose acknowledged writes',
        'AGENT_IDENTITY_DURABILITY',
      )
        .choices(['any', 'required'])
        .default('any'),
    )
    .addOption(
      option('--email <email>', 'the account of the first start', 'AGENT_IDENTITY_EMAIL').default(
        'admin@localhost',
      ),
    )
    .option(
      '--password-file <path>',
      'its password in a file (env: AGENT_IDENTITY_PASSWORD holds the text itself) (default: generated, shown once)',
    )
    .option(
      '--secret-file <path>',
      'the signing secret in a file, 32 bytes or more (env: AGENT_IDENTITY_SECRET holds the text itself) (default: kept beside a sqlite database as <file>.secret)',
    )
    .option(
      '--previous-secret-file <path>',
      'during a change of the signing secret: the one before, in a file (env: AGENT_IDENTITY_PREVIOUS_SECRET holds the text itself)',
    )
    .option(
      '--secret-lost',
      'start once with a new signing secret because the old one is lost; ends every session',
    )
    .addOption(
      option('--registration <mode>', 'whether strangers may open accounts', 'AGENT_IDENTITY_REGISTRATION')
        .choices(['open', 'closed'])
        .default('closed'),
    )
    .addOption(
      option('--consistency <mode>', 'how soon verdicts see a change', 'AGENT_IDENTITY_CONSISTENCY')
        .choices(['default', 'strict'])
        .default('default'),
    )
    .addOption(
      option(
        '--journal <mode>',
        'strict answers a verdict after its record is stored',
        'AGENT_IDENTITY_JOURNAL',
      )
        .choices(['batched', 'strict'])
        .default('batched'),
    )
    .addOption(
      option(
        '--retention-days <number>',
        'how long verdict records are kept',
        'AGENT_IDENTITY_RETENTION_DAYS',
      )
        .default(90)
        .argParser(readDays),
    )
    .option(
      '--clock-ok',
      'accept the clock of this machine, for one start on a sqlite database that was not used for more than a day or was used with a wrong clock',
    )
    .addOption(
      option(
        '--rate-limits <mode>',
        'off lifts verification rates and the login throttle, for tests on a loopback host',
        'AGENT_IDENTITY_RATE_LIMITS',
      )
        .choices(['on', 'off'])
        .default('on'),
    )
    .addOption(
      option('--default-plan <plan>', 'the plan of new accounts', 'AGENT_IDENTITY_DEFAULT_PLAN')
        .choices(PLANS)
        .default('starter'),
    )
    .addOption(
      option(
        '--trust-proxy <hops>',
        'how many proxies of yours add to X-Forwarded-For',
        'AGENT_IDENTITY_TRUST_PROXY',
      )
        .default(0)
        .argParser(readHops),
    )
    .addOption(
      option(
        '--password-concurrency <number>',
        'how many passwords are hashed at a time, each in 128 MiB of memory',
        'AGENT_IDENTITY_PASSWORD_CONCURRENCY',
      )
        .default(1)
        .argParser(readPasswords),
    )
    .addOption(
      option('--log <format>', 'what is written on stderr', 'AGENT_IDENTITY_LOG')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', AFTER)
    .action(async (options: ServeOptions) => serve(await readSettings(options, version)));
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

function readHops(text: string): number {
  const hops = Number(text);
  if (/^[0-9]{1,2}$/.test(text) && hops <= 32) return hops;
  throw new InvalidArgumentError('It must be a whole number from 0 to 32.');
}

function readPasswords(text: string): number {
  const count = Number(text);
  if (/^[0-9]{1,2}$/.test(text) && count >= 1 && count <= 64) return count;
  throw new InvalidArgumentError('It must be a whole number from 1 to 64.');
}

function readDays(text: string): number {
  const days = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && days >= 1 && days <= 36_500) return days;
  throw new InvalidArgumentError('It must be a whole number from 1 to 36500.');
}

const AFTER = `
On SIGTERM and SIGINT it finishes the requests that run, stores the verdict records and exits with 0.

Examples:
  $ agent-identity serve
  $ agent-identity serve --storage sqlite:/var/lib/agent-identity/agents.db --port 8080 --log json
  $ AGENT_IDENTITY_PASSWORD="$(openssl rand -base64 18)" agent-identity serve --email ada@example.com`;
