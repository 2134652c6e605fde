import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureSubject } from '../../adapters/cli/bench/measure.ts';
import { openLocalSubject } from '../../adapters/cli/bench/subject.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { analytics } from '../../src/analytics/index.ts';
import { erasure } from '../../src/erasure/index.ts';
import { nodeListener } from '../../src/http/index.ts';
import { createIdentityService, type Passport } from '../../src/index.ts';
import { people } from '../../src/people/index.ts';
import { withDatabase } from '../storage/sqlite-database.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { CLI, type Ended, GIVEN, type Serving, start, startServe } from '../support/process.ts';
import { listen } from '../support/servers.ts';
import { SECRET } from '../support/service.ts';
import { openUsedFolder } from '../support/used-folder.ts';

/** Whether it measures, and what it leaves behind; how fast anything is, is nothing that a test can tell. */
const { AGENT_IDENTITY_PASSWORD } = GIVEN;
const SHORT = ['--passports', '5', '--connections', '4', '--seconds', '1'];

let folder: string;
let remove: () => void;
let serving: Serving;

beforeAll(async () => {
  ({ folder, remove } = await openUsedFolder());
  serving = await startServe({ cwd: folder, env: { ...GIVEN, AGENT_IDENTITY_RATE_LIMITS: 'off' } });
});

afterAll(async () => {
  await serving.stop();
  remove();
});

function bench(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return run(['bench', ...SHORT, ...args], { cwd: folder, env });
}

const PASSPORTS = 'select id, account_id, status, allowed_actions from ais_passports';

/** The rows of a file; none where it has no such table yet. */
async function rowsIn(file: string, query: string): Promise<readonly Record<string, unknown>[]> {
  if (!existsSync(file)) return [];
  return withDatabase('libsql', file, (connection) => connection.all(query)).catch(() => []);
}

/** What is left of a bench in a file: the ids of its passports. */
async function expectIdsAlone(file: string): Promise<void> {
  const passports = await rowsIn(file, PASSPORTS);
  expect(passports).toHaveLength(5);
  for (const { id, ...rest } of passports) {
    expect(id).toMatch(/^did:web:bench-[0-9a-f]{12}\.example:agents:agent-[0-4]$/);
    expect(rest).toEqual({ account_id: 'acc_erased', status: 'revoked', allowed_actions: '[]' });
  }
  const storage = await sqliteStorage({ file });
  for (const name of ['accounts', 'domains', 'erasures'] as const)
    expect(await storage.list(name, { where: {}, limit: 10 })).toEqual([]);
  await storage.close();
  for (const table of ['ais_keys', 'ais_events', 'ais_passport_versions'])
    expect(await rowsIn(file, `select count(*) as count from ${table}`)).toEqual([{ count: 0 }]);
}

async function record(command: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...command, '--json'], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('the service in memory is measured, up to the slowest of ten thousand', async () => {
  const { code, stdout, stderr } = await bench(['--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ passports: 5, connections: 4, errors: {}, node: process.version });
  expect(report).toMatchObject({ rate: null, late_us: null });
  expect(report.verdicts).toBeGreaterThan(0);
  const { min, p50, p90, p99, p99_9, p99_99, max } = report.latency_us;
  const rising = [min, p50, p90, p99, p99_9, p99_99, max];
  expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  expect(min).toBeGreaterThan(0);
  const counts: { count: number }[] = report.histogram;
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(report.verdicts);
  expect(Object.keys(report.event_loop_delay_ms)).toEqual(['p50', 'p99', 'max']);
  expect(report.memory.rss_bytes).toBeGreaterThan(report.memory.heap_used_bytes);
  expect(report.doubts).toEqual(expect.any(Array));
});

test('without --json people can read it', async () => {
  const { code, stdout } = await bench([]);
  expect(code).toBe(0);
  for (const name of ['per_second', 'event_loop_late', 'memory', 'p99.99']) expect(stdout).toContain(name);
});

test('--html writes a page with the histogram, and stops before the measuring where it cannot', async () => {
  const file = join(folder, 'report.html');
  const { code, stdout } = await bench(['--html', file]);
  expect(code).toBe(0);
  expect(stdout).toContain(`Written to ${file}`);
  const page = readFileSync(file, 'utf8');
  expect(page).toMatch(/^<!doctype html>[\s\S]*<rect class="bar"[\s\S]*<\/html>\n$/);
  const wrong = await bench(['--html', join(folder, 'missing/report.html')]);
  expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('(ENOENT)') });
});

test('a storage that stays is left with the ids of passports, and with nothing else', async () => {
  const file = join(folder, 'own.db');
  expect((await bench(['--storage', `sqlite:${file}`, '--yes'])).code).toBe(0);
  await expectIdsAlone(file);
});

test('every verdict is recorded in the storage, or counted as dropped', async () => {
  const file = join(folder, 'recorded.db');
  const domain = 'bench-0.example';
  const place = { kind: 'sqlite', url: `sqlite:${file}`, file } as const;
  const subject = await openLocalSubject(place, { domain, passports: 2 });
  const load = { connections: 64, seconds: 1, stop: new Promise(() => {}), onSecond: () => {} };
  const { verdicts, recordsDropped } = await measureSubject(subject, load);
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: await sqliteStorage({ file }),
    capabilities: [analytics()],
  });
  const counted = await service.analytics({}, { account_id: 'acc_bench_0' });
  await service.close();
  // What was asked before the measuring is in them as well.
  const dropped = recordsDropped ?? Number.NaN;
  expect(counted.overview.total_verifications).toBeGreaterThanOrEqual(verdicts - dropped);
  expect(counted.journal_dropped).toBeGreaterThanOrEqual(dropped);
  await subject.close();
});

test('a service behind a URL is asked by dry runs, and what was made there is purged', async () => {
  const { code, stdout } = await bench(['--url', serving.origin, '--yes', '--json'], {
    AGENT_IDENTITY_PASSWORD,
  });
  expect(code).toBe(0);
  const target = `${serving.origin}/api`;
  expect(JSON.parse(stdout)).toMatchObject({ target, passports: 5, errors: {}, records_dropped: null });
  const { data } = (await record(['passport', 'list'])) as { data: Passport[] };
  const purged = { status: 'revoked', allowed_actions: [], revocation_reason: null };
  expect(data).toMatchObject(Array(5).fill(purged));
  expect(data[0]?.domain).toMatch(/^bench-[0-9a-f]{12}\.example$/);
  expect(await record(['key', 'list'])).toMatchObject({ active_count: 0 });
  expect(await record(['analytics'])).toMatchObject({ overview: { total_verifications: 0 } });
});

test.each([
  ['purged, with erasure()', [people(), erasure()], null],
  ['revoked, without', [people()], 'It was made by agent-identity bench.'],
])('four passports are left %s, and the limit of the plan is named', async (_, capabilities, reason) => {
  const credentials = { email: 'ada@example.com', password: AGENT_IDENTITY_PASSWORD };
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    session: { secret: SECRET },
    plans: { starter: { keys: 5, passports: 50, verifications_per_minute: 120 } },
    capabilities,
  });
  const { id: account_id } = await service.accounts.create(credentials);
  const origin = await listen(nodeListener(service, { basePath: '/api' }));
  const args = ['bench', '--url', origin, '--email', credentials.email, '--yes', '--seconds', '1'];
  const { code, stdout } = await run(args, { cwd: folder, env: { AGENT_IDENTITY_PASSWORD } });
  expect(code).toBe(1);
  expect(stdout).toMatch(/errors +rate_limited \d+/);
  expect(stdout).toContain('120 verifications a minute');
  expect(stdout).toMatch(/--rate-limits off[\s\S]*account plan <email> enterprise[\s\S]*--rate 1\b/);
  const { data } = await service.passports.list({}, { account_id });
  expect(data).toMatchObject(Array(4).fill({ status: 'revoked', revocation_reason: reason }));
  await service.close();
});

test.each([[[]], [['--url', '--yes']]])('at a rate no more is asked for than that, %j', async (flags) => {
  const where = flags.map((flag) => (flag === '--url' ? `--url=${serving.origin}` : flag));
  const args = ['--rate', '200', '--json', ...where];
  const { code, stdout } = await bench(args, { AGENT_IDENTITY_PASSWORD });
  expect(code).toBe(0);
  const { rate, verdicts, errors, late_us } = JSON.parse(stdout);
  expect({ rate, errors, late: Object.keys(late_us) }).toEqual({
    rate: 200,
    errors: {},
    late: ['p50', 'p99', 'max'],
  });
  expect(verdicts).toBeGreaterThan(0);
  expect(verdicts).toBeLessThanOrEqual(200);
});

test('with a key and an agent that are there, nothing is made', async () => {
  const made = (await record(['key', 'create', 'till'])) as { key: string };
  const before = await record(['passport', 'list']);
  const args = ['--url', serving.origin, '--agent', 'did:web:example.com:agents:nobody', '--json'];
  const { code, stdout } = await bench(args, { AGENT_IDENTITY_API_KEY: made.key });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ passports: 1, errors: {} });
  expect(await record(['passport', 'list'])).toEqual(before);
  expect(await record(['key', 'list'])).toMatchObject({ active_count: 1 });
});

test('Ctrl-C ends it early, and what was made is erased', async () => {
  const file = join(folder, 'stopped.db');
  const args = [
    'bench',
    '--storage',
    `sqlite:${file}`,
    '--yes',
    '--passports',
    '5',
    '--seconds',
    '3600',
    '--json',
  ];
  const running = start(process.execPath, [CLI, ...args], { cwd: folder });
  const made = async () => (await rowsIn(file, PASSPORTS)).length;
  await expect.poll(made).toBe(5);
  running.child.kill('SIGINT');
  await running.ended;
  await expectIdsAlone(file);
});

test('refusals are counted as errors, and the key is not shown', async () => {
  const key = `ais_live_${'x'.repeat(49)}`;
  const ended = await bench(['--url', serving.origin, '--agent', 'did:web:a.example:agents:b', '--key', key]);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/errors +unauthenticated \d+/);
  expect(ended.stdout + ended.stderr).not.toContain(key);
});

test('nothing is made where records stay unless that is asked for', async () => {
  const file = join(folder, 'missing.db');
  for (const args of [
    ['--storage', `sqlite:${file}`],
    ['--url', serving.origin],
  ]) {
    const ended = await bench(args, { AGENT_IDENTITY_PASSWORD });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
  }
  expect(existsSync(file)).toBe(false);
});

test.each([
  [['--seconds', '0']],
  [['--connections', '1.5']],
  [['--rate', '0']],
  [['--rate', '1000001']],
  [['--agent', 'did:web:a.example:agents:b']],
  [['--storage', 'memory:', '--url', 'http://localhost:1/api']],
])('%j is usage', async (args) => {
  expect((await bench(args)).code).toBe(2);
});
