import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readStorageUrl } from '../../adapters/cli/input/storage-url.ts';
import { createProgram } from '../../adapters/cli/program.ts';
import { endpoints } from '../../src/http/index.ts';
import { root } from '../readme/run.ts';

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly mem_limit?: string;
}

const folder = join(root, 'examples/operate');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const compose: {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
} = parse(read('compose.yaml'), { merge: true });
const services = Object.entries(compose.services);
const nodes = services.filter(([name]) => name.startsWith('node-'));
const proxy = read('Caddyfile');
const ready = '/api/health/ready';

const serve = createProgram().commands.find((command) => command.name() === 'serve');

test('three nodes stand behind the balancer, which asks each whether it is ready', () => {
  expect(nodes).toHaveLength(3);
  expect(proxy).toContain(`reverse_proxy ${nodes.map(([name]) => `${name}:3000`).join(' ')} {`);
  expect(proxy).toContain(`health_uri ${ready}`);
  expect(endpoints.map(({ path }) => `/api${path}`)).toContain(ready);
});

describe.each(nodes)('%s', (_name, { environment = {} }) => {
  test('sets only what serve knows', () => {
    const variables = serve?.options.map(({ envVar }) => envVar) ?? [];
    // These two have a flag for a file; the help names the variable beside it.
    const known = [...variables, 'AGENT_IDENTITY_SECRET', 'AGENT_IDENTITY_PASSWORD'];
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(serve?.helpInformation()).toContain('AGENT_IDENTITY_SECRET');
    expect(serve?.helpInformation()).toContain('AGENT_IDENTITY_PASSWORD');
  });

  test('starts on a storage that serve takes', () => {
    const url = filled(environment['AGENT_IDENTITY_STORAGE'] ?? '');
    expect(readStorageUrl(url)).toEqual({
      kind: 'postgres',
      url: 'postgres://agents:given@postgres:5432/agents',
    });
  });

  test('has a public URL, and counts that Prometheus reads', () => {
    expect(filled(environment['AGENT_IDENTITY_PUBLIC_URL'] ?? '')).toBe('http://localhost:3000/api');
    const [, port] = environment['AGENT_IDENTITY_METRICS']?.split(':') ?? [];
    const { scrape_configs } = parse(read('prometheus.yaml'));
    const targets = nodes.map(([name]) => `${name}:${port}`);
    expect(scrape_configs).toMatchObject([{ job_name: 'agent-identity', static_configs: [{ targets }] }]);
  });
});

test('the image runs as a user without rights, and is healthy when it is ready', () => {
  const [, ...stages] = read('Dockerfile').split(/^FROM /m);
  expect(stages.at(-1)).toMatch(/^USER node$/m);
  expect(stages.at(-1)).toMatch(/^HEALTHCHECK .*http:\/\/127\.0\.0\.1:.*\/api\/health\/ready/m);
  expect(ready).toBe('/api/health/ready');
});

test('every service has a limit of memory that holds what it needs', () => {
  for (const [, { mem_limit = '0' }] of services) expect(bytesOf(mem_limit)).toBeGreaterThan(0);
  // What the README has an operator plan, and the caches of passports, keys and accounts at their default.
  for (const [, { mem_limit = '0' }] of nodes) expect(bytesOf(mem_limit)).toBeGreaterThanOrEqual(512 * MIB);
  const { command = [], mem_limit = '0' } = compose.services['redis'] ?? {};
  const records = bytesOf(command[command.indexOf('--maxmemory') + 1] ?? '');
  // The newest million verdicts, at 1.2 kB each.
  expect(records).toBeGreaterThan(1_200_000_000);
  // A rewrite of its file copies pages that are written to meanwhile.
  expect(bytesOf(mem_limit)).toBeGreaterThanOrEqual(1.5 * records);
  expect(command.slice(command.indexOf('--maxmemory-policy'))[1]).toBe('noeviction');
});

test('no secret has a value in the file', () => {
  const secrets = services.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).filter(([name]) => /SECRET|PASSWORD/.test(name)),
  );
  expect(secrets.length).toBeGreaterThan(0);
  expect(secrets.filter(([, value]) => !/^\$\{\w+:\?\}$/.test(value))).toEqual([]);
});

test('each file that a service mounts is there, and the page names each file', () => {
  const mounts = services
    .flatMap(([, { volumes = [] }]) => volumes)
    .filter((mount) => mount.startsWith('./'));
  const mounted = mounts.map((mount) => mount.split(':')[0]?.slice(2) ?? '');
  expect(mounted.sort()).toEqual(['Caddyfile', 'alerts.yaml', 'grafana.json', 'prometheus.yaml']);
  const files = readdirSync(folder);
  expect(mounted.filter((name) => !files.includes(name))).toEqual([]);
  const page = read('README.md');
  const parts = [
    'README.md',
    'Caddyfile',
    'Dockerfile.dockerignore',
    'lines.mjs',
    'prometheus.yaml',
    'receiver.mjs',
  ];
  expect(files.filter((name) => !parts.includes(name) && !page.includes(`](${name})`))).toEqual([]);
});

test('whatever a service needs is in the file', () => {
  const named = services.flatMap(([, { depends_on = [] }]) =>
    Array.isArray(depends_on) ? depends_on : Object.keys(depends_on),
  );
  expect(named.filter((name) => !(name in compose.services))).toEqual([]);
  const volumes = services.flatMap(([, { volumes: mounts = [] }]) =>
    mounts.map((mount) => mount.split(':')[0]),
  );
  const unknown = volumes.filter((name = '') => !name.startsWith('./') && !(name in compose.volumes));
  expect(unknown).toEqual([]);
});

const MIB = 1_024 * 1_024;

/** The number of bytes in a text such as `512m` or `2gb`. */
function bytesOf(text: string): number {
  const [, number, unit] = /^(\d+)([mg])b?$/.exec(text) ?? [];
  return Number(number ?? 0) * (unit === 'g' ? 1_024 * MIB : MIB);
}

/** The text as Compose fills it in when only the required variables are given. */
function filled(text: string): string {
  return text.replaceAll(/\$\{\w+:\?\}/g, 'given').replaceAll(/\$\{\w+:-(.*)\}/g, '$1');
}
