/** The options of `serve`, in the order of its help. */
import { InvalidArgumentError, Option } from 'commander';
import { PLANS } from '../../../src/http/index.ts';
import { storageOption } from '../backend/backend.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { CONNECTION_TIMES } from '../serve/http-server.ts';
import { type MetricsPlace, readMetricsPlace } from '../serve/metrics-server.ts';

const CHECK = 'with --authzen: answer gateways at /api/access/v1/check';

export const SERVE_OPTIONS: readonly Option[] = [
  // The addresses, and the storage.
  ...addressOptions(3000),
  option(
    '--public-url <url>',
    'where strangers reach the API, such as https://id.example.com/api; on a loopback host by default that of this machine',
    'AGENT_IDENTITY_PUBLIC_URL',
  ),
  storageOption(),
  option(
    '--durability <class>',
    'required refuses a storage that may lose acknowledged writes; stated: you state that a Redis keeps every one, where its settings cannot be read',
    'AGENT_IDENTITY_DURABILITY',
  )
    .choices(['any', 'required', 'stated'])
    .default('any'),
  option(
    '--storage-timeout <ms>',
    'how long a call of the storage may take; at least five round trips to it',
    'AGENT_IDENTITY_STORAGE_TIMEOUT',
  )
    .default(1_000)
    .argParser(wholeNumber(100, 60_000)),
  // The first account, and the signing secret.
  option('--email <email>', 'the account of the first start', 'AGENT_IDENTITY_EMAIL').default(
    'admin@localhost',
  ),
  new Option(
    '--password-file <path>',
    'its password in a file (env: AGENT_IDENTITY_PASSWORD holds the text itself) (default: generated, shown once)',
  ),
  new Option(
    '--secret-file <path>',
    'the signing secret in a file, 32 bytes or more (env: AGENT_IDENTITY_SECRET holds the text itself) (default: stored next to a sqlite database as <file>.secret)',
  ),
  new Option(
    '--previous-secret-file <path>',
    'during a change of the signing secret: the previous one in a file (env: AGENT_IDENTITY_PREVIOUS_SECRET holds the text itself)',
  ),
  new Option(
    '--previous-secrets-file <path>',
    'the same for several, as a JSON array (env: AGENT_IDENTITY_PREVIOUS_SECRETS holds the array itself)',
  ),
  new Option(
    '--secret-lost',
    'start once with a new signing secret because the old one is lost; ends every session',
  ),
  // The issuer that signs people in.
  option(
    '--oidc-issuer <url>',
    'the issuer of OpenID Connect that signs people in, in addition to passwords; needs the package openid-client',
    'AGENT_IDENTITY_OIDC_ISSUER',
  ),
  option('--oidc-client-id <id>', 'the id of this service at the issuer', 'AGENT_IDENTITY_OIDC_CLIENT_ID'),
  new Option(
    '--oidc-client-secret-file <path>',
    'its secret in a file (env: AGENT_IDENTITY_OIDC_CLIENT_SECRET holds the text itself) (default: a public client)',
  ),
  option('--oidc-scope <scopes>', 'what to ask the issuer for', 'AGENT_IDENTITY_OIDC_SCOPE').default(
    'openid email profile',
  ),
  option(
    '--oidc-label <name>',
    'the name of the issuer on the button (default: single sign-on)',
    'AGENT_IDENTITY_OIDC_LABEL',
  ),
  option(
    '--oidc-map <path>',
    'a JSON file that gives people an account and a role by their claims (default: people sign in by invitation)',
    'AGENT_IDENTITY_OIDC_MAP',
  ),
  // The rights of strangers, and the strictness of verdicts and records.
  option('--registration <mode>', 'whether strangers may open accounts', 'AGENT_IDENTITY_REGISTRATION')
    .choices(['open', 'closed'])
    .default('closed'),
  option(
    '--domain-proof <mode>',
    'claim: the first account that issues for a domain owns it, until another proves it; required: it is proved first',
    'AGENT_IDENTITY_DOMAIN_PROOF',
  )
    .choices(['claim', 'required', 'off'])
    .default('claim'),
  option(
    '--allow-localhost',
    'accept localhost as a domain, and keys that RFCs publish; for tests on a loopback host',
    'AGENT_IDENTITY_ALLOW_LOCALHOST',
  ),
  option('--consistency <mode>', 'how soon verdicts see a change', 'AGENT_IDENTITY_CONSISTENCY')
    .choices(['default', 'strict'])
    .default('default'),
  option('--journal <mode>', 'strict answers a verdict after its record is stored', 'AGENT_IDENTITY_JOURNAL')
    .choices(['batched', 'strict'])
    .default('batched'),
  // The standard interfaces beside our own.
  authzenOption('; its metadata needs an https --public-url'),
  agentDomainOption(),
  option('--authzen-check <form>', CHECK, 'AGENT_IDENTITY_AUTHZEN_CHECK').choices(['path', 'forwarded']),
  option(
    '--metrics <host:port>',
    'serve counts for Prometheus at /metrics there, such as 127.0.0.1:9464, for all who reach it',
    'AGENT_IDENTITY_METRICS',
  ).argParser(readPlace),
  // Retention, limits and the log.
  evidenceOption(),
  accessTokensOption(),
  option('--retention-days <number>', 'how long verdict records are kept', 'AGENT_IDENTITY_RETENTION_DAYS')
    .default(90)
    .argParser(wholeNumber(1, 36_500)),
  option('--audit-days <days>', 'how long changes stay in the audit', 'AGENT_IDENTITY_AUDIT_DAYS')
    .default(365)
    .argParser(wholeNumber(7, 36_500)),
  new Option(
    '--clock-ok',
    'accept the clock of this machine, for one start on a sqlite database that was not used for more than a day or was used with a wrong clock',
  ),
  option(
    '--rate-limits <mode>',
    'off lifts the rates of verifications and writes and the login throttle, for tests on a loopback host',
    'AGENT_IDENTITY_RATE_LIMITS',
  )
    .choices(['on', 'off'])
    .default('on'),
  option('--default-plan <plan>', 'the plan of new accounts', 'AGENT_IDENTITY_DEFAULT_PLAN')
    .choices(PLANS)
    .default('starter'),
  option(
    '--trust-proxy <hops>',
    'how many proxies of yours add to X-Forwarded-For',
    'AGENT_IDENTITY_TRUST_PROXY',
  )
    .default(0)
    .argParser(wholeNumber(0, 32)),
  ...connectionOptions(),
  option(
    '--webhooks <number>',
    'how many webhooks an account may have, 0 for none',
    'AGENT_IDENTITY_WEBHOOKS',
  )
    .default(10)
    .argParser(wholeNumber(0, 1_000)),
  option(
    '--password-concurrency <number>',
    'how many passwords are hashed at a time, each in 128 MiB of memory',
    'AGENT_IDENTITY_PASSWORD_CONCURRENCY',
  )
    .default(1)
    .argParser(wholeNumber(1, 64)),
  logOption(),
];

export const VERIFIER_OPTIONS: readonly Option[] = [
  new Option('--url <base>', 'the service; the API key is AGENT_IDENTITY_API_KEY').makeOptionMandatory(),
  ...addressOptions(3100),
  new Option('--name <name>', 'its name in the records of verdicts').default('local'),
  authzenOption(),
  agentDomainOption(),
  ...connectionOptions(),
  logOption(),
];

function connectionOptions(): readonly Option[] {
  const { idleMs, answerMs } = CONNECTION_TIMES;
  return [
    option(
      '--idle-timeout <seconds>',
      'how long a connection without a request stays open, longer than in your load balancer',
      'AGENT_IDENTITY_IDLE_TIMEOUT',
    )
      .default(idleMs / 1_000)
      .argParser(wholeNumber(1, 86_400)),
    option(
      '--answer-timeout <seconds>',
      'how long a request may wait for its answer',
      'AGENT_IDENTITY_ANSWER_TIMEOUT',
    )
      .default(answerMs / 1_000)
      .argParser(wholeNumber(1, 86_400)),
  ];
}

function addressOptions(port: number): readonly Option[] {
  return [
    option('--port <number>', 'where to listen, 0 for any free port', 'PORT')
      .default(port)
      .argParser(wholeNumber(0, 65_535)),
    option('--host <address>', 'the address to listen on', 'HOST').default('127.0.0.1').argParser(readHost),
  ];
}

function authzenOption(more = ''): Option {
  const text = `serve the AuthZEN Authorization API 1.0 below /api/access/v1${more}`;
  return option('--authzen', text, 'AGENT_IDENTITY_AUTHZEN');
}

function agentDomainOption(): Option {
  const text = 'with --authzen: a subject id that is not a DID names an agent of this domain';
  return option('--authzen-agent-domain <domain>', text, 'AGENT_IDENTITY_AUTHZEN_AGENT_DOMAIN');
}

function accessTokensOption(): Option {
  return option(
    '--access-tokens',
    'issue access tokens to agents, for MCP servers and HTTP APIs; each domain is an issuer below --public-url',
    'AGENT_IDENTITY_ACCESS_TOKENS',
  );
}

function evidenceOption(): Option {
  return option(
    '--evidence-log',
    'keep a log of each account that cannot be rewritten unseen; it stays on for every node until log off',
    'AGENT_IDENTITY_EVIDENCE_LOG',
  );
}

function logOption(): Option {
  return option('--log <format>', 'what is written on stderr', 'AGENT_IDENTITY_LOG')
    .choices(['text', 'json'])
    .default('text');
}

function option(flags: string, description: string, env: string): Option {
  return new Option(flags, description).env(env);
}

/** Parses a host. An empty host is refused, because Node would listen on every address of the machine. */
function readHost(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must be an address such as 127.0.0.1.');
}

function readPlace(text: string): MetricsPlace {
  const place = readMetricsPlace(text);
  if (place === undefined) throw new InvalidArgumentError('It must be such as 127.0.0.1:9464.');
  return place;
}
