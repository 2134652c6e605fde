import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { figuresOf, type Load, planOf } from '../../bench/lib/sizing.mjs';
import { LOADS, sizingPage } from '../../bench/lib/sizing-page.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Round figures, so that a person can check a plan. */
const TABLES = [
  {
    title: 'A node',
    columns: [],
    rows: [
      { name: 'a verdict in process, with its record', cpu: 6_000 },
      { name: 'a request to agent-identity serve', cpu: 60_000 },
      { name: 'a passport in memory, of 100,000', bytes: 1_000 },
      { name: 'reads of the storage, 1,000 agents in turn', reads: 1_250 },
    ],
  },
  {
    title: 'Storage: postgres',
    columns: [],
    rows: [
      { name: 'a change of a passport', perSecond: 2_000, cpu: 500_000 },
      { name: 'a spend on one budget', perSecond: 10_000, cpu: 100_000 },
      { name: 'a spend on 1,000 budgets', perSecond: 5_000, cpu: 200_000 },
      { name: 'a read of a passport', perSecond: 100_000, cpu: 10_000 },
      { name: 'a full block', perSecond: 100, cpu: 8_192_000, bytes: 13 },
      { name: 'a block of 20', perSecond: 1_000, cpu: 20_000, bytes: 40 },
      { name: 'a passport stored', bytes: 1_500 },
    ],
  },
];
const figures = figuresOf({ tables: TABLES });
const results = (tables: readonly object[]) => ({
  'node 20': {
    sizing: {
      ...{
        date: '2026-11-27T10:00:00.000Z',
        command: 'npm run bench -- sizing --save',
        doubts: [],
        targets: [],
      },
      ...{ machine: { cpu: 'a CPU', cores: 2, memoryGiB: 8, node: 'v20.20.2' }, tables },
    },
  },
});

test('the plans of four loads are those whose arithmetic was checked by hand', async () => {
  const plans = LOADS.map((load) => planOf(load, figures));
  await expect(`${JSON.stringify(plans, null, 2)}\n`).toMatchFileSnapshot('sizing-plans.json');
});

describe('a plan', () => {
  const load = LOADS[1] as Load;
  const planned = (change: Partial<Load>) => planOf({ ...load, ...change }, figures);

  test('names what fails first only above 60 % of what the store takes', () => {
    const quiet = { active: 0, spends: 0, changes: 0, verdicts: 1 };
    expect(planned(quiet)).toMatchObject({ fails_first: 'nothing', nodes: 1 });
    expect(planned({ ...quiet, changes: 1_190 })).toMatchObject({ fails_first: 'nothing' });
    expect(planned({ ...quiet, changes: 1_210 })).toMatchObject({ fails_first: 'changes' });
    expect(planned({ ...quiet, verdicts: 4_000, spends: 1 })).toMatchObject({ fails_first: 'spends' });
  });

  test('asks for no more reads than verdicts, and grows with each demand', () => {
    for (const key of ['verdicts', 'changes', 'retentionDays', 'agents'] as const) {
      const [less, more] = [planned({ [key]: load[key] }), planned({ [key]: load[key] * 2 })];
      expect(more.store_bytes).toBeGreaterThanOrEqual(less.store_bytes);
      expect(more.store_cores).toBeGreaterThanOrEqual(less.store_cores);
    }
    const { demands } = planned({ active: 1e9 });
    expect(demands.find(({ line }) => line === 'reads')?.per_second).toBe(load.verdicts);
  });

  test('needs the figures of its storage', () => {
    expect(() => planned({ storage: 'redis' })).toThrow('There are no figures for redis.');
    const [node, store] = TABLES as [object, { rows: object[] }];
    const lacking = { ...store, rows: store.rows.slice(1) };
    expect(() => figuresOf({ tables: [node, lacking] })).toThrow('"a change of a passport"');
  });
});

test('SIZING.md is the page of the results', () => {
  expect(read('bench/SIZING.md')).toBe(sizingPage(JSON.parse(read('bench/results.json'))));
});

test('the page shows every figure and the four plans', () => {
  const page = sizingPage(results(TABLES));
  for (const { title } of TABLES) expect(page).toContain(`## ${title}`);
  expect(page).toContain('100,000 verdicts per second × 60.0 µs / 0.6 = 10 cores');
});

describe('node bench/sizing.mjs', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ais-sizing-'));
    await writeFile(join(folder, 'results.json'), JSON.stringify(results(TABLES)));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const sizing = (...args: string[]) =>
    run(process.execPath, ['bench/sizing.mjs', '--results', join(folder, 'results.json'), ...args], {
      cwd: root,
    });

  test('prints the plan, as JSON if that is wanted', async () => {
    const load = ['--agents', '1e6', '--active', '1e5', '--verdicts', '1e5', '--changes', '50'];
    const { stdout } = await sizing(...load, '--json');
    const { nodes, connections, store_cores, store_bytes, retention_days, fails_first } = planOf(
      LOADS[1] as Load,
      figures,
    );
    const shown = { nodes, connections, store_cores, store_bytes, retention_days, fails_first };
    expect(JSON.parse(stdout)).toEqual(shown);
    expect((await sizing(...load)).stdout).toMatch(/^fails first {4}reads: /m);
  });

  test.each([
    [['--agents', 'many'], 2, '--agents is a number from 1, not many'],
    [['--agents', ''], 2, '--agents is a number from 1, not '],
    [['--spends', '2'], 2, '--spends is a number from 0 to 1, not 2'],
    [['--nodes', '2'], 2, "Unknown option '--nodes'"],
    [['--storage', 'oracle'], 1, 'There are no figures for oracle.'],
    [['--results', '/nowhere'], 1, 'ENOENT'],
  ])('%j ends with %d', async (args, code, message) => {
    const failed = await sizing(...args).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
