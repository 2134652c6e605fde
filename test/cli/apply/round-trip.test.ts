/** 200 random passports as files: what an export says is what `apply` makes, whoever else writes and whatever is killed. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Passport } from '../../../src/index.ts';
import { ED25519_KEYS, P256_KEYS } from '../../support/agent-keys.ts';
import { type BothWays, openBothWays } from '../../support/both-ways.ts';
import { closeAfterFile } from '../../support/closers.ts';
import { run } from '../../support/command.ts';
import { CLI, type Ended, openFolder, runProcess, start } from '../../support/process.ts';
import { createRandom } from '../../support/random.ts';
import { seedOf, sized } from '../../support/runs.ts';

const COUNT = 200;
const ROUNDS = sized(4, 2);
const ACTIONS = ['pay', 'orders.read', 'orders.*', 'email.send', 'a-b', 'no', 'null', '1.5', '*'];

let both: BothWays;
let home: string;
const seed = seedOf(20261129);

beforeAll(async () => {
  both = await openBothWays();
  const { folder, remove } = openFolder();
  closeAfterFile(remove);
  home = folder;
  console.log(`seed ${seed}`);
  const lines = fc.sample(fc.tuple(...Array.from({ length: COUNT }, (_, index) => inputArbitrary(index))), {
    numRuns: 1,
    seed,
  })[0];
  const input = (lines ?? []).map((line) => `${JSON.stringify(line)}\n`).join('');
  const imported = await run(['passport', 'import', '-'], { cwd: both.folder, input });
  expect(imported).toEqual({
    code: 0,
    signal: null,
    stderr: '',
    stdout: expect.not.stringContaining('refused  '),
  });
});

/** Generates passports; every seventh helps the one before it. */
function inputArbitrary(index: number): fc.Arbitrary<object> {
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .map((raw) => raw.replaceAll('\0', ''));
  const actions = fc.subarray(
    ACTIONS.filter((action) => /^[A-Za-z*]/.test(action)),
    { minLength: 1 },
  );
  const amount = fc.integer({ min: 1, max: 10 ** 9 }).map((units) => units / 100);
  const instant = fc
    .integer({ min: 1, max: 10 ** 9 })
    .map((seconds) => new Date(4e12 + seconds * 1e3).toISOString());
  const option = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  return fc.record({
    domain: fc.constant('example.com'),
    agent_name: fc.constant(`a${index}`),
    parent_agent_id: fc.constant(index % 7 === 1 ? `did:web:example.com:agents:a${index - 1}` : undefined),
    allowed_actions: actions,
    monetary_limit_per_txn: amount,
    denied_actions: option(actions),
    currency: fc.constant('EUR'),
    monetary_actions: fc.constant(['pay']),
    allowed_targets: option(fc.constant(['did:web:*.shop.example', 'did:web:shop.example'])),
    budgets: option(
      amount.map((limit) => [
        { window: 'day', limit },
        { name: 'n', window: 'hour', count: 5 },
      ]),
    ),
    approval: option(fc.record({ above: amount, seconds: fc.integer({ min: 60, max: 9_999 }) })),
    conditions: option(text.map((one) => [{ actions: ['pay'], at: '/to', in: [one, 1.5, true, null] }])),
    pace: option(fc.constant([{ max: 5, seconds: 60 }])),
    trusted_issuers: option(
      fc.constant([{ issuer: 'https://idp.example', use: 'user', subjects: ['Änne ☃', 'team-*'] }]),
    ),
    expires_at: option(instant),
    description: option(text),
    public_keys: option(fc.subarray([...ED25519_KEYS, ...P256_KEYS], { minLength: 1, maxLength: 4 })),
    metadata: option(
      fc.dictionary(
        text.filter((name) => name !== '__proto__'),
        text,
        { maxKeys: 5 },
      ),
    ),
  });
}

const url = (...args: readonly string[]): Promise<Ended> => both.url(args);
const folderOf = (name: string): string => join(home, name, 'example.com');

function filesOf(name: string): Readonly<Record<string, string>> {
  const files = readdirSync(folderOf(name)).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folderOf(name), file), 'utf8')]));
}

async function exported(name: string, ...args: readonly string[]) {
  expect(await url('export', join(home, name), ...args)).toMatchObject({ code: 0, stderr: '' });
  return filesOf(name);
}

async function everyPassport(): Promise<readonly Passport[]> {
  const { stdout } = await url('passport', 'list', '--json');
  return JSON.parse(stdout).data;
}

test.each(['json', 'yaml'])('export, apply and export as %s are equal, byte by byte', async (format) => {
  const before = await everyPassport();
  expect(before).toHaveLength(COUNT);
  const first = await exported(`${format}-1`, '--format', format);
  expect(Object.keys(first)).toHaveLength(COUNT);
  expect(await url('apply', join(home, `${format}-1`))).toEqual({
    ...{ code: 0, signal: null, stderr: '' },
    stdout: 'Plan: 200 unchanged.\nRun: 200 done, 0 waits, 0 failed, 0 skipped.\n',
  });
  expect(await everyPassport()).toEqual(before);
  expect(await exported(`${format}-2`, '--format', format)).toEqual(first);
  expect(await exported(`${format}-2`, '--format', format)).toEqual(first);
  expect(Object.values(first).join('')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('a set is adopted, and its export is the same', async () => {
  const first = await exported('set-1');
  expect((await url('apply', join(home, 'set-1'), '--set', 'prod')).code).toBe(0);
  const all = await everyPassport();
  expect(all.every(({ managed_by, version }) => managed_by === 'prod' && version === 2)).toBe(true);
  expect(await exported('set-2', '--set', 'prod')).toEqual(first);
});

/** Copies the export, with a description and metadata that name the copy. */
async function renamed(name: string): Promise<string> {
  const files = await exported(name);
  for (const [file, text] of Object.entries(files)) {
    const passport = { ...JSON.parse(text), description: name, metadata: { by: name } };
    writeFileSync(join(folderOf(name), file), JSON.stringify(passport));
  }
  return join(home, name);
}

const namesIn = ({ description, metadata }: Passport) => [description, metadata?.['by']];

function process(folder: string, ...args: readonly string[]) {
  return {
    args: ['apply', folder, '--set', 'prod', '--url', both.serving.origin, ...args],
    options: { cwd: home, env: both.env },
  };
}

test('of two runs at once each passport is that of one of them, whole', async () => {
  const folders = [await renamed('left'), await renamed('right')];
  const runs = folders.map((folder) => {
    const { args, options } = process(folder, '--json');
    return runProcess(args, options);
  });
  const ended = await Promise.all(runs);
  const codes = ended.map(({ code }) => code);
  expect(codes.every((code) => code === 0 || code === 1)).toBe(true);
  const plans = ended.map(({ stdout }) => JSON.parse(stdout).plan as Record<string, unknown>[]);
  for (const step of plans.flat().filter(({ status }) => status === 'failed'))
    expect(step['error']).toMatchObject({ code: 'version_mismatch' });
  for (const passport of await everyPassport())
    expect([
      ['left', 'left'],
      ['right', 'right'],
    ]).toContainEqual(namesIn(passport));
  const [left = ''] = folders;
  expect((await url('apply', left, '--set', 'prod')).code).toBe(0);
  expect((await everyPassport()).map(namesIn)).toEqual(Array.from({ length: COUNT }, () => ['left', 'left']));
  expect((await url('apply', left, '--set', 'prod')).stdout).toContain('Plan: 200 unchanged.');
});

test('a run that is killed in the middle leaves whole passports, and the next one ends it', async () => {
  const random = createRandom(seed);
  const counts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `kill-${round}`;
    const folder = await renamed(name);
    const { args, options } = process(folder);
    const running = start(globalThis.process.execPath, [CLI, ...args], options);
    const dies = Math.floor(random() * 150);
    const changed = async (): Promise<number> =>
      (await everyPassport()).filter(({ description }) => description === name).length;
    let count = 0;
    while (count <= dies && running.child.exitCode === null) count = await changed();
    running.child.kill('SIGKILL');
    await running.ended;
    counts.push(await changed());
    for (const passport of await everyPassport()) {
      const [one, other] = namesIn(passport);
      expect(one).toBe(other);
    }
    const { code, stdout } = await url('apply', folder, '--set', 'prod');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Run: 200 done')]);
    expect(await changed()).toBe(COUNT);
    expect((await url('apply', folder, '--set', 'prod')).stdout).toContain('Plan: 200 unchanged.');
  }
  console.log(`seed ${seed}: killed after ${counts.join(', ')} passports`);
  expect(counts.some((count) => count > 0 && count < COUNT)).toBe(true);
});

test('pruning suspends exactly what no file names any more, and no more than its limit', async () => {
  const files = await exported('pruned', '--set', 'prod');
  const gone = Object.keys(files).slice(0, 20);
  cpSync(join(home, 'pruned'), join(home, 'kept'), {
    recursive: true,
    filter: (path) => !gone.some((file) => path.endsWith(`/${file}`)),
  });
  const before = await everyPassport();
  const args = ['apply', join(home, 'kept'), '--set', 'prod', '--prune'];
  const stopped = await url(...args);
  expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was written.') });
  expect(await everyPassport()).toEqual(before);
  expect((await url(...args, '--prune-limit', '60')).code).toBe(0);
  const suspended = (await everyPassport()).filter(({ status }) => status === 'suspended');
  expect(suspended.map(({ agent_name }) => `${agent_name}.json`).sort()).toEqual([...gone].sort());
  expect((await url(...args, '--prune-limit', '0')).stdout).toContain('Plan: 180 unchanged.');
  expect(Object.keys(await exported('rest'))).toHaveLength(COUNT - gone.length);
  expect((await url('apply', join(home, 'pruned'), '--set', 'prod')).stdout).toContain(
    'Plan: 20 reinstate, 180 unchanged.',
  );
  expect(await exported('all')).toEqual(files);
});
