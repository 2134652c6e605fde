/** The options of `serve`, in the order of its help. */
import { InvalidArgumentError, Option } from 'commander';
import { PLANS } from '../../../src/http/index.ts';
import { storageOption } from '../backend/backend.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { type MetricsPlace, readMetricsPlace } from '../serve/metrics-server.ts';
import {
  addressOptions,
  agentDomainOption,
  authzenOption,
  connectionOptions,
  logOption,
  option,
} from './verifier.ts';

const CHECK =
  'serve /api/access/v1/check, where an API gateway asks for a verdict on each HTTP request that it gets; with `path`, the gateway puts the path of this request after /check (Envoy), and with `forwarded` into X-Forwarded headers (Caddy, Traefik); needs --authzen';

export const SERVE_OPTIONS: readonly Option[] = [
  // The addresses, and the storage.
  ...addressOptions(3000),
  option(
    '--public-url <url>',
    'public URL of the API, such as https://id.example.com/api (default on a loopback host: the URL of this machine)',
    'AGENT_IDENTITY_PUBLIC_URL',
  ),
  storageOption(),
  option(
    '--durability <class>',
    '`any` accepts every storage; `required` refuses a storage that can lose a write after it has confirmed the write; `stated` accepts a Redis that hides its settings, if you are sure that it loses no such write',
    'AGENT_IDENTITY_DURABILITY',
  )
    .choices(['any', 'required', 'stated'])
    .default('any'),
  option(
    '--storage-timeout <ms>',
    'milliseconds until a storage call fails; set at least five times the network round trip to the storage, because one call can need several',
    'AGENT_IDENTITY_STORAGE_TIMEOUT',
  )
    .default(1_000)
    .argParser(wholeNumber(100, 60_000)),
  // The first account, and the signing secret.
  option(
    '--email <email>',
    'e-mail address of the account that the first start creates',
    'AGENT_IDENTITY_EMAIL',
  ).default('admin@localhost'),
  new Option(
    '--password-file <path>',
    'file with the password of the first account; AGENT_IDENTITY_PASSWORD can hold the password itself (default: generated and printed once)',
  ),
  new Option(
    '--secret-file <path>',
    'file with the signing secret of at least 32 bytes; AGENT_IDENTITY_SECRET can hold the secret itself (default: <file>.secret next to a sqlite database)',
  ),
  new Option(
    '--previous-secret-file <path>',
    'file with the previous signing secret while you change the secret; AGENT_IDENTITY_PREVIOUS_SECRET can hold the secret itself',
  ),
  new Option(
    '--previous-secrets-file <path>',
    'file with a JSON array of previous signing secrets while you change the secret; AGENT_IDENTITY_PREVIOUS_SECRETS can hold the array itself',
  ),
  new Option(
    '--secret-lost',
    'accept a new signing secret in this start, because you lost the old secret; this ends every session and replaces the signing keys',
  ),
  // The issuer that signs people in.
  option(
    '--oidc-issuer <url>',
    'URL of an OpenID Connect issuer for sign-in, in addition to passwords; needs the package openid-client',
    'AGENT_IDENTITY_OIDC_ISSUER',
  ),
  option('--oidc-client-id <id>', 'client id of this service at the issuer', 'AGENT_IDENTITY_OIDC_CLIENT_ID'),
  new Option(
    '--oidc-client-secret-file <path>',
    'file with the client secret of OpenID Connect; AGENT_IDENTITY_OIDC_CLIENT_SECRET can hold the secret itself (default: none, for an issuer that needs no secret from the service)',
  ),
  option('--oidc-scope <scopes>', 'scopes to request from the issuer', 'AGENT_IDENTITY_OIDC_SCOPE').default(
    'openid email profile',
  ),
  option(
    '--oidc-label <name>',
    'name of the issuer on the sign-in button (default: single sign-on)',
    'AGENT_IDENTITY_OIDC_LABEL',
  ),
  option(
    '--oidc-map <path>',
    'JSON file that maps claims of the issuer about a person, such as groups, to an account and a role (default: only invited people can sign in)',
    'AGENT_IDENTITY_OIDC_MAP',
  ),
  // The rights of callers without an account, and the strictness of verdicts and records.
  option(
    '--registration <mode>',
    '`open` lets everyone who reaches the service create an account, and `closed` lets only operators create accounts',
    'AGENT_IDENTITY_REGISTRATION',
  )
    .choices(['open', 'closed'])
    .default('closed'),
  option(
    '--domain-proof <mode>',
    '`claim` reserves a domain for the first account that issues a passport for it, until another account verifies the domain and so takes it over; `required` accepts only verified domains; `off` lets several accounts use the same domain',
    'AGENT_IDENTITY_DOMAIN_PROOF',
  )
    .choices(['claim', 'required', 'off'])
    .default('claim'),
  option(
    '--allow-localhost',
    'accept localhost as a domain, and agent keys from examples in RFCs, for tests on a loopback host',
    'AGENT_IDENTITY_ALLOW_LOCALHOST',
  ),
  option(
    '--consistency <mode>',
    'time until verdicts on every node follow a change of a passport or key; `default` is within a second, and `strict` is at once',
    'AGENT_IDENTITY_CONSISTENCY',
  )
    .choices(['default', 'strict'])
    .default('default'),
  option(
    '--journal <mode>',
    '`strict` stores each verdict record before the service returns the verdict; `batched` stores it afterwards, within a second',
    'AGENT_IDENTITY_JOURNAL',
  )
    .choices(['batched', 'strict'])
    .default('batched'),
  // The standard interfaces beside our own.
  authzenOption('; with an https --public-url, also serve the list of its endpoints'),
  agentDomainOption(),
  option('--authzen-check <form>', CHECK, 'AGENT_IDENTITY_AUTHZEN_CHECK').choices(['path', 'forwarded']),
  option(
    '--metrics <host:port>',
    'address that serves Prometheus metrics at /metrics without authentication, such as 127.0.0.1:9464',
    'AGENT_IDENTITY_METRICS',
  ).argParser(readPlace),
  // Retention, limits and the log.
  evidenceOption(),
  accessTokensOption(),
  option(
    '--retention-days <number>',
    'days until verdict records are removed',
    'AGENT_IDENTITY_RETENTION_DAYS',
  )
    .default(90)
    .argParser(wholeNumber(1, 36_500)),
  option(
    '--audit-days <days>',
    'days until the service deletes a change from the audit trail of an account',
    'AGENT_IDENTITY_AUDIT_DAYS',
  )
    .default(365)
    .argParser(wholeNumber(7, 36_500)),
  new Option(
    '--clock-ok',
    'trust the clock of this machine in this start, although the last use that a sqlite file remembers is more than a day ago or in the future',
  ),
  option(
    '--rate-limits <mode>',
    '`off` turns off the rate limits and the limit of failed logins, for tests on a loopback host',
    'AGENT_IDENTITY_RATE_LIMITS',
  )
    .choices(['on', 'off'])
    .default('on'),
  option('--default-plan <plan>', 'plan of new accounts', 'AGENT_IDENTITY_DEFAULT_PLAN')
    .choices(PLANS)
    .default('starter'),
  option(
    '--trust-proxy <hops>',
    'number of your proxies that add an address to X-Forwarded-For',
    'AGENT_IDENTITY_TRUST_PROXY',
  )
    .default(0)
    .argParser(wholeNumber(0, 32)),
  ...connectionOptions(),
  option('--webhooks <number>', 'the most webhooks per account, 0 for none', 'AGENT_IDENTITY_WEBHOOKS')
    .default(10)
    .argParser(wholeNumber(0, 1_000)),
  option(
    '--password-concurrency <number>',
    'number of passwords to hash at the same time; each hash needs 128 MiB of memory',
    'AGENT_IDENTITY_PASSWORD_CONCURRENCY',
  )
    .default(1)
    .argParser(wholeNumber(1, 64)),
  logOption(),
];

function accessTokensOption(): Option {
  return option(
    '--access-tokens',
    'issue access tokens to agents for MCP servers and HTTP APIs; the issuer for agents of example.com is <public-url>/issuers/example.com',
    'AGENT_IDENTITY_ACCESS_TOKENS',
  );
}

function evidenceOption(): Option {
  return option(
    '--evidence-log',
    'turn on the tamper-evident log of each account, for all nodes of the storage; only `log off` turns it off',
    'AGENT_IDENTITY_EVIDENCE_LOG',
  );
}

function readPlace(text: string): MetricsPlace {
  const place = readMetricsPlace(text);
  if (place === undefined) throw new InvalidArgumentError('It must be such as 127.0.0.1:9464.');
  return place;
}
