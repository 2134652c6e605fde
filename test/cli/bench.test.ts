import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { nodeListener } from '../../src/http/index.ts';
import { createIdentityService, type StorageAdapter } from '../../src/index.ts';
import { run } from '../support/command.ts';
import { CLI, type Ended, GIVEN, type Running, type Serving, start, startServe } from '../support/process.ts';
import { listen } from '../support/servers.ts';
import { SECRET } from '../support/service.ts';
import { openUsedFolder } from '../support/used-folder.ts';

/** Whether it measures, and what it leaves behind; how fast anything is, is nothing that a test can tell. */
const { AGENT_IDENTITY_PASSWORD } = GIVEN;
const SHORT = ['--passports', '5', '--connections', '4', '--seconds', '1'];

const LATER = '2100-01-01T00:00:00.000Z';

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

/** The storage as soon as the command has made a passport in it. */
async function openWhenMade(file: string, { ended }: Running): Promise<StorageAdapter> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    if (existsSync(file)) {
      const storage = await sqliteStorage({ file }).catch(() => undefined);
      if (storage !== undefined) {
        if ((await storage.countPassports('acc_bench', LATER)).active > 0) return storage;
        await storage.close();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It ended before it was stopped.');
}

async function record(verb: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout } = await run([...verb, '--json'], { cwd: folder });
  expect(code).toBe(0);
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

test('a storage that stays is left with revoked passports of an account of its own', async () => {
  const file = join(folder, 'own.db');
  expect((await bench(['--storage', `sqlite:${file}`, '--yes'])).code).toBe(0);
  const storage = await sqliteStorage({ file });
  expect(await storage.countPassports('acc_bench', LATER)).toMatchObject({ active: 0, revoked: 5 });
  expect(await storage.list('accounts', { where: {}, limit: 10 })).toEqual([]);
  expect(await storage.list('domains', { where: {}, limit: 10 })).toEqual([]);
  await storage.close();
});

test('every verdict is recorded in the storage, or counted as dropped', async () => {
  const file = join(folder, 'recorded.db');
  const { stdout } = await bench(['--storage', `sqlite:${file}`, '--yes', '--json', '--connections', '64']);
  const { verdicts, records_dropped } = JSON.parse(stdout);
  const service = createIdentityService({ storage: await sqliteStorage({ file }) });
  const counted = await service.analytics({}, { account_id: 'acc_bench' });
  await service.close();
  // What was asked before the measuring is in them as well.
  expect(counted.overview.total_verifications).toBeGreaterThanOrEqual(verdicts - records_dropped);
  expect(counted.journal_dropped).toBeGreaterThanOrEqual(records_dropped);
});

test('a service behind a URL is asked by dry runs, and what was made there is revoked', async () => {
  const { code, stdout } = await bench(['--url', serving.origin, '--yes', '--json'], {
    AGENT_IDENTITY_PASSWORD,
  });
  expect(code).toBe(0);
  const target = `${serving.origin}/api`;
  expect(JSON.parse(stdout)).toMatchObject({ target, passports: 5, errors: {}, records_dropped: null });
  const { data } = (await record(['passport', 'list'])) as { data: { status: string; domain: string }[] };
  expect(data.map(({ status }) => status)).toEqual(Array(5).fill('revoked'));
  expect(data[0]?.domain).toMatch(/^bench-[0-9a-f]{12}\.example$/);
  expect(await record(['key', 'list'])).toMatchObject({ active_count: 0 });
  expect(await record(['analytics'])).toMatchObject({ overview: { total_verifications: 0 } });
});

test('a service that keeps what is revoked is left with four passports, and the limit of its plan is named', async () => {
  const credentials = { email: 'ada@example.com', password: AGENT_IDENTITY_PASSWORD };
  const service = createIdentityService({
    storage: memoryStorage(),
    session: { secret: SECRET },
    plans: { starter: { keys: 5, passports: 50, verifications_per_minute: 120 } },
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
  expect(data.map(({ status }) => status)).toEqual(Array(4).fill('revoked'));
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

test('Ctrl-C ends it early, and what was made is revoked', async () => {
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
  const storage = await openWhenMade(file, running);
  running.child.kill('SIGINT');
  await running.ended;
  expect(await storage.countPassports('acc_bench', LATER)).toMatchObject({ active: 0, revoked: 5 });
  await storage.close();
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
