/** The log of a service that runs: shown, exported and verified, on the storage and at the URL. */
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nodeListener } from '../../src/http/index.ts';
import { passUntil } from '../core/evidence/log-steps.ts';
import { openApi, signIn } from '../support/api.ts';
import { type BothWays, openBothWays, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import { GIVEN } from '../support/process.ts';
import { openService, PUBLIC_URL, SECRET } from '../support/service.ts';
import { ADMIN } from '../support/used-folder.ts';

const { AGENT_IDENTITY_SECRET } = GIVEN;
const DEADLINE_MS = 20_000;
let both: BothWays;
let key = '';

beforeAll(async () => {
  both = await openBothWays({ AGENT_IDENTITY_EVIDENCE_LOG: '1' });
  // The login was a change: it has its leaf after some seconds.
  for (const end = Date.now() + DEADLINE_MS; key === '' && Date.now() < end; ) {
    const { stdout } = await both.url(['log', 'show', '--json']);
    if (stdout !== '') key = JSON.parse(stdout).keys[0].key;
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
});

const here = (args: readonly string[]) => run(args, { cwd: both.folder, env: {} });

describe.each(WAYS)('over --%s', (way) => {
  const call = (args: readonly string[]) =>
    way === 'url'
      ? both.url(args)
      : run([...args, '--account', ADMIN], { cwd: both.folder, env: { AGENT_IDENTITY_SECRET } });

  test('log show prints the key, and log export a folder that log verify accepts', async () => {
    const shown = await call(['log', 'show']);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(key) });
    const folder = join(both.folder, `out-${way}`);
    expect(await call(['log', 'export', '--out', folder])).toMatchObject({ code: 0 });
    const names = ['blocks', 'checkpoint', 'entries.jsonl', 'kept-since', 'keys', 'tile'];
    expect(readdirSync(folder).sort()).toEqual(names);
    expect(readFileSync(join(folder, 'keys'), 'utf8')).toBe(`${key}\n`);
    const good = await here(['log', 'verify', folder, '--key', key]);
    expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/leaves, all is well\.\n$/) });
    const changed = join(both.folder, `changed-${way}`);
    cpSync(folder, changed, { recursive: true });
    const entries = readFileSync(join(folder, 'entries.jsonl'), 'utf8');
    writeFileSync(join(changed, 'entries.jsonl'), entries.replace('member.signed_in', 'member.signed_on'));
    const bad = await here(['log', 'verify', changed, '--key', key, '--json']);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.stdout).findings).toContainEqual({ code: 'leaf', index: expect.any(Number) });
    const told = await here(['log', 'verify', changed, '--key', key]);
    expect(told.stdout).toMatch(
      /^leaf: entry \d+\. The text of the entry is not the text that the leaf was made of/m,
    );
    expect(told.stdout).toContain('What to do: write the log into a folder');
    for (const gone of [folder, changed]) rmSync(gone, { recursive: true });
  });
});

test('verifications receipt --out writes the receipt into a file, and prints its place in place of JSON', async () => {
  // With the clock of the test, because a small block waits a minute for its leaf.
  const opened = openService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL }, evidence: {} });
  const { service } = opened;
  const { token, account_id } = await signIn(opened, openApi(opened));
  const buyer = { domain: 'example.com', agent_name: 'buyer', allowed_actions: ['a'] };
  const { agent_id } = await service.passports.create(
    { ...buyer, monetary_limit_per_txn: 1 },
    { account_id },
  );
  const { decision_id, evaluated_at } = await service.verify({ agent_id, action: 'a' }, { account_id });
  await service.verifications.list({}, { account_id });
  await passUntil(
    opened,
    async () => (await service.evidence.state({ account_id }).catch(() => undefined))?.pending === 0,
  );
  const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const file = join(both.folder, 'receipt.json');
  const args = ['verifications', 'receipt', decision_id, '--evaluated-at', evaluated_at, '--url', url];
  const env = { AGENT_IDENTITY_TOKEN: token };
  const ended = await run([...args, '--out', file], { cwd: both.folder, env });
  expect(ended).toEqual({
    ...{ code: 0, signal: null, stderr: '' },
    stdout: `The receipt is in ${file}.\n`,
  });
  const written = readFileSync(file, 'utf8');
  expect(JSON.parse(written)).toMatchObject({ discloses: 1 });
  expect((await run(args, { cwd: both.folder, env })).stdout).toBe(written);
});

describe('log verify at the address', () => {
  const verify = (...args: readonly string[]) =>
    here(['log', 'verify', both.serving.origin.concat('/api'), ...args]);

  test('reads the public hashes, says what it did not look at, and moves the state on', async () => {
    const state = join(both.folder, 'state');
    const first = await verify('--key', key, '--state', state);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Not checked: entries and blocks'),
    });
    const note = readFileSync(state, 'utf8');
    expect(note).toContain(key.split('+')[0]);
    expect(await verify('--key', key, '--state', state)).toMatchObject({ code: 0 });
    // Another history of the same size, or another log: refused, and the state stays.
    writeFileSync(state, note.replace(/\n\d+\n/, '\n99999\n'));
    expect(await verify('--key', key, '--state', state)).toMatchObject({ code: 1 });
    const other = note.replaceAll('/logs/', '/logs/x');
    writeFileSync(state, other);
    expect(await verify('--key', key, '--state', state)).toMatchObject({ code: 1 });
    expect(readFileSync(state, 'utf8')).toBe(other);
  });

  test('needs a key, of this log, that has signed it', async () => {
    expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining('--key') });
    expect(await verify('--key', 'nonsense')).toMatchObject({ code: 2 });
    const [name = '', id = ''] = key.split('+');
    const wrong = { public: new Uint8Array(32).fill(7) };
    const { noteKey, noteKeyText } = await import('../../src/transparency-log/signed-note.ts');
    const strange = noteKeyText(await noteKey(name, wrong.public));
    expect(strange).not.toContain(id);
    const refused = await verify('--key', strange);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('checkpoint: unsigned') });
    const elsewhere = noteKeyText(
      await noteKey(name.replace(/\/logs\/.*/, '/logs/aaaaaaaaaaaaaaaaaaaaaa'), wrong.public),
    );
    expect(await verify('--key', elsewhere)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no log'),
    });
  });
});

test('serve refuses a log on an open address without a public URL, and refuses an unknown value', async () => {
  const serve = (env: Record<string, string>, ...args: readonly string[]) =>
    run(['serve', '--storage', 'memory:', ...args], { cwd: both.folder, env });
  const open = await serve(
    { AGENT_IDENTITY_SECRET: `${AGENT_IDENTITY_SECRET}` },
    '--evidence-log',
    '--host',
    '0.0.0.0',
  );
  expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('--public-url') });
  expect(await serve({ AGENT_IDENTITY_EVIDENCE_LOG: 'yes' })).toMatchObject({ code: 2 });
});
