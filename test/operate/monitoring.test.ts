/** The files for Prometheus, Grafana and systemd, by the programs that read them, and against a service that serves. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../readme/run.ts';
import { freePort } from '../support/private-servers.mjs';
import { GIVEN, openFolder, startServe } from '../support/process.ts';
import { hasPromtool, hasSystemd } from '../support/programs.ts';

const folder = join(root, 'examples/operate');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8' });

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

interface Panel {
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string; readonly refId: string }[];
}

const rules: readonly Rule[] = parse(read('alerts.yaml')).groups[0].rules;
const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(read('grafana.json'));
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** The names of our metrics in an expression. */
const namesIn = (text: string): readonly string[] => text.match(/\bagent_identity_\w+/g) ?? [];

test.runIf(hasPromtool())('promtool accepts the configuration, the rules and their tests', () => {
  expect(run('promtool', 'check', 'config', 'prometheus.yaml')).toContain('SUCCESS');
  expect(run('promtool', 'check', 'rules', 'alerts.yaml')).toContain(`SUCCESS: ${rules.length} rules`);
  expect(run('promtool', 'test', 'rules', 'alerts-test.yaml')).toContain('SUCCESS');
});

test.runIf(hasPromtool())('promtool reads each expression of a panel', () => {
  const { folder: place, remove } = openFolder();
  onTestFinished(remove);
  const records = panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll('$__range', '1h')),
  );
  const file = join(place, 'panels.json');
  const group = { name: 'panels', rules: records.map((expr, at) => ({ record: `panel:${at}`, expr })) };
  writeFileSync(file, JSON.stringify({ groups: [group] }));
  expect(run('promtool', 'check', 'rules', file)).toContain(`SUCCESS: ${records.length} rules`);
});

test('each alert is tested: it is silent first, then fires', () => {
  const { tests } = parse(read('alerts-test.yaml'));
  const cases = tests.flatMap((one: { readonly alert_rule_test: readonly object[] }) => one.alert_rule_test);
  for (const { alert } of rules) {
    const fires = cases.filter((one: { readonly alertname: string }) => one.alertname === alert);
    const counts = fires.map((one: { readonly exp_alerts: readonly object[] }) => one.exp_alerts.length);
    expect([alert, Math.min(...counts), Math.max(...counts)]).toEqual([alert, 0, 1]);
  }
});

test('there is an alert for nodes, storage, rules, lost records, denials and the log', () => {
  const found = rules.map(({ alert }) => alert.replace('AgentIdentity', ''));
  expect(found).toEqual(['NodeDown', 'StorageDown', 'RuleFailed', 'RecordsLost', 'Denials', 'LogPending']);
  expect(read('README.md').match(/(?<=`)AgentIdentity\w+/g)).toEqual(rules.map(({ alert }) => alert));
});

test('a service serves each metric, with each label, that an alert or a panel names', async () => {
  const port = await freePort();
  const { folder: cwd, remove } = openFolder();
  const settings = {
    AGENT_IDENTITY_METRICS: `127.0.0.1:${port}`,
    AGENT_IDENTITY_EVIDENCE_LOG: '1',
    AGENT_IDENTITY_ACCESS_TOKENS: '1',
    AGENT_IDENTITY_PUBLIC_URL: 'https://id.example.com/api',
  };
  const serving = await startServe({ cwd, env: { ...GIVEN, ...settings } });
  onTestFinished(async () => {
    await serving.stop();
    remove();
  });
  await use(serving.origin);
  const served = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const names = new Set(expressions.flatMap(namesIn));
  expect(names.size).toBeGreaterThanOrEqual(14);
  expect([...names].filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(served))).toEqual([]);
  const labels = expressions.flatMap((text) => [...text.matchAll(/by \(([\w, ]+)\)/g)]);
  const named = labels.flatMap(([, list = '']) => list.split(', ').map((label) => `${label}="`));
  const filters = expressions.flatMap((text) => text.match(/(?<=\{)[^}]*(?=\})/g) ?? []);
  // Prometheus itself adds the job. No rule of the application fails here.
  const parts = filters.flatMap((text) => text.split(',')).filter((part) => !/^job=|rule_failed/.test(part));
  expect([...named, ...parts].filter((text) => !served.includes(text))).toEqual([]);
});

/** Makes the service count a verdict, a denial, an error and a request for a token. */
async function use(origin: string): Promise<void> {
  const ask = (path: string, json: object, headers: object = {}) =>
    fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
    });
  const login = await ask('/auth/login', {
    email: 'admin@localhost',
    password: GIVEN.AGENT_IDENTITY_PASSWORD,
  });
  const { access_token } = (await login.json()) as { access_token: string };
  const session = { authorization: `Bearer ${access_token}` };
  const { key } = (await (await ask('/keys', { name: 'app' }, session)).json()) as { key: string };
  const fields = {
    allowed_actions: ['pay'],
    monetary_limit_per_txn: 9,
    budgets: [{ window: 'day', count: 9 }],
  };
  await ask('/passports', { domain: 'example.com', agent_name: 'shopper', ...fields }, session);
  const verify = async (action: string): Promise<number> => {
    const intent = { agent_id: 'did:web:example.com:agents:shopper', action, subject: action };
    return (await ask('/verify', intent, { 'x-api-key': key, 'idempotency-key': 'once' })).status;
  };
  expect([await verify('refund'), await verify('pay'), await verify('refund')]).toEqual([200, 200, 422]);
  const form = new URLSearchParams({ grant_type: 'client_credentials', resource: 'https://api.example.com' });
  const token = await fetch(`${origin}/api/issuers/example.com/token`, { method: 'POST', body: form });
  expect(token.status).toBe(400);
}

test('the panels read the source that compose.yaml makes, each query has a letter of its own', () => {
  const { configs } = parse(read('compose.yaml'), { merge: true });
  const [{ uid }] = parse(configs['grafana-source'].content).datasources;
  for (const { datasource, targets } of panels) {
    expect(datasource.uid).toBe(uid);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  }
});

test.runIf(hasSystemd())('systemd accepts the unit, and names what it exposes as safe', () => {
  const unit = join(folder, 'agent-identity.service');
  const check = `systemd-analyze verify ${unit} 2>&1; echo "exit code $?"`;
  expect(execFileSync('sh', ['-c', check], { encoding: 'utf8' })).toBe('exit code 0\n');
  expect(() => run('systemd-analyze', 'security', '--offline=yes', '--threshold=25', unit)).not.toThrow();
});
