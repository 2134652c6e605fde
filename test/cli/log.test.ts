/** The log of a service that runs: shown, exported and verified, on the storage and at the URL. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BothWays, openBothWays, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import { GIVEN } from '../support/process.ts';
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
    const { noteKey, noteKeyText } = await import('../../src/log-tree/signed-note.ts');
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

test('serve needs a public URL for a log that strangers reach, and takes no other value', async () => {
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
