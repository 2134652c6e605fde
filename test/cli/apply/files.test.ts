/** The files of `apply`: each that is refused names its place, and no text of it is repeated. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDeclared } from '../../../adapters/cli/apply/read-declared.ts';
import { isPlainText, readPlainScalar } from '../../../adapters/cli/apply/yaml-documents.ts';
import { IdentityError } from '../../../src/index.ts';
import { HOSTILE_FILES, MARK } from './hostile-files.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'apply-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const passport = (agent_name: string, more: object = {}): string =>
  JSON.stringify({
    ...{ domain: 'example.com', agent_name, allowed_actions: ['a'], monetary_limit_per_txn: 1 },
    ...more,
  });

function write(path: string, text: string | Uint8Array = passport('a')): string {
  const whole = join(folder, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

const read = (path = folder) => readDeclared(path, { allowLocalhost: false });

async function names(path = folder): Promise<readonly string[]> {
  return (await read(path)).flat().map(({ passport: { agent_name } }) => agent_name);
}

async function faultOf(path = folder): Promise<string> {
  const error = await read(path).then(
    () => expect.unreachable('The files were accepted.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(IdentityError);
  const { code, message, details } = error as IdentityError;
  expect(['invalid_configuration', 'invalid_request']).toContain(code);
  const lines = (details.errors ?? []).map((fault) => `${fault.path}: ${fault.message}`);
  return [message, ...lines].join('\n');
}

describe('hostile files', () => {
  test.each(HOSTILE_FILES)('refuses $title ($name)', async ({ name, text, at, message }) => {
    const path = write(name, text);
    const fault = await faultOf(path);
    expect(fault).toContain(`${path}:${at}: `);
    expect(fault).toMatch(message);
    expect(fault).not.toContain(MARK);
  });

  test('refuses links, pipes, deep folders and other files', async () => {
    write('real/a.json');
    symlinkSync(join(folder, 'real/a.json'), join(folder, 'real/b.json'));
    expect(await faultOf()).toMatch(/b\.json is a symbolic link/);
    rmSync(join(folder, 'real/b.json'));
    symlinkSync('/', join(folder, 'real/root'));
    expect(await faultOf()).toMatch(/root is a symbolic link/);
    rmSync(join(folder, 'real/root'));
    execFileSync('mkfifo', [join(folder, 'real/c.json')]);
    expect(await faultOf()).toMatch(/c\.json is no file/);
    expect(await faultOf(join(folder, 'real/c.json'))).toMatch(/c\.json is no file/);
    rmSync(join(folder, 'real/c.json'));
    write('1/2/3/4/5/6/7/ok.json', passport('ok'));
    expect(await names()).toEqual(['a', 'ok']);
    write('1/2/3/4/5/6/7/8/deep.json', passport('deep'));
    expect(await faultOf()).toMatch(/deeper than 8 folders/);
    expect(await faultOf(join(folder, 'none'))).toMatch(/ENOENT/);
    expect(await faultOf(write('a.txt'))).toMatch(/does not end in/);
    expect(await faultOf(write('big.yaml', '\n'.repeat(1024 * 1024 + 1)))).toMatch(/larger than 1 MiB/);
  });

  test('refuses a folder without a passport, and skips names of tools', async () => {
    write('.git/a.json', '{');
    write('node_modules/a.json', '{');
    write('.hidden.json', '{');
    write('README.md', '{');
    expect(await faultOf()).toMatch(/has no passport in it/);
    symlinkSync('/', join(folder, '.link'));
    write('a.json');
    expect(await names()).toEqual(['a']);
  });

  test('names every fault of several files, and a file with hostile names', async () => {
    write('a.json', '{');
    write('::error::\u202e\nb.json', '[]');
    const fault = await faultOf();
    expect(fault.split('\n')).toEqual([
      expect.any(String),
      expect.stringContaining('/::error::\\u202e\\u000ab.json:1:1: '),
      expect.stringContaining('a.json:1:2: '),
    ]);
  });

  test('refuses circles and a line of six agents', async () => {
    const parent = (name: string) => ({ parent_agent_id: `did:web:example.com:agents:${name}` });
    write('a.json', passport('a', parent('b')));
    write('b.json', passport('b', parent('a')));
    expect(await faultOf()).toMatch(/a\.json:1:\d+: The agent is among its own parents/);
    write('a.json', passport('a'));
    for (const [name, above] of ['cb', 'dc', 'ed'])
      write(`${name}.json`, passport(`${name}`, parent(`${above}`)));
    expect(await names()).toEqual(['a', 'b', 'c', 'd', 'e']);
    write('f.json', passport('f', parent('e')));
    expect(await faultOf()).toMatch(/f\.json:1:\d+: The agent has more than 4 agents above it/);
  });
});

describe('files that are read', () => {
  test('reads several documents of YAML, and parents first', async () => {
    write(
      'all.yml',
      `# A comment with ünïcode\n---\n${block('child')}parent_agent_id: "did:web:example.com:agents:zed"\n...\n---\n# none\n---\n${block('zed')}description: |\n  two\n  lines\n`,
    );
    write('more/b.json', passport('b', { agent_id: 'did:web:example.com:agents:b' }));
    const [first = [], second = []] = await read();
    expect(first.map(({ agent_id }) => agent_id)).toEqual([
      'did:web:example.com:agents:b',
      'did:web:example.com:agents:zed',
    ]);
    expect(first[1]?.passport.description).toBe('two\nlines\n');
    expect(second.map(({ file, agent_id }) => [file, agent_id])).toEqual([
      [join(folder, 'all.yml'), 'did:web:example.com:agents:child'],
    ]);
  });

  test('reads YAML in flow style, quoted, with CRLF', async () => {
    write(
      'a.yaml',
      '{domain: example.com, "agent_name": \'a\',\r\n allowed_actions: [a.b, "c.*"],\r\n monetary_limit_per_txn: 1.5}\r\n',
    );
    const [[one] = []] = await read();
    expect(one?.passport).toMatchObject({ allowed_actions: ['a.b', 'c.*'], monetary_limit_per_txn: 1.5 });
  });

  test('takes a plain scalar for the text that every reader takes it for', () => {
    for (const text of [
      'a',
      'example.com',
      'did:web:a.b:agents:c',
      'orders.read',
      '3d',
      'a: b'.slice(0, 2),
      '-a',
    ])
      expect(readPlainScalar(text)).toEqual({ value: text });
    for (const [text, value] of [
      ['1', 1],
      ['-1.5', -1.5],
      ['1e3', 1000],
      ['true', true],
      ['null', null],
    ] as const)
      expect(readPlainScalar(text)).toEqual({ value });
    for (const text of [
      '',
      '-0',
      'NO',
      'Off',
      'y',
      '+1',
      '.5',
      '5.',
      '0b1',
      '1:30',
      '2026-1-1T0:0:0Z',
      '<<',
      '=',
      '1e400',
    ])
      expect(readPlainScalar(text)).toHaveProperty('fault');
    for (const text of ['no', '1', 'null', '', 'a b', '-', 'true', '1e3'])
      expect(isPlainText(text)).toBe(false);
  });
});

test('no text of a file makes another fault than a usage error', async () => {
  const parts = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ' ',
    '- ',
    '? ',
    '\n',
    '"',
    "'",
    '|',
    '>',
    '#',
    '&a',
    '*a',
    '!t',
    '%Y',
    '---',
    '...',
    ',',
    'a',
    '\t',
    'domain',
    '\u2028',
    '<<',
    '\\',
    '\r',
    '\u0000',
    '~',
  );
  const texts = fc.array(parts, { maxLength: 60 }).map((list) => list.join(''));
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('a.json', 'a.yaml'), async (text, name) => {
      expect(await faultOf(write(name, text))).toMatch(/:\d+:\d+: |not valid/);
    }),
    { numRuns: 200 },
  );
});

function block(agent_name: string): string {
  return `domain: example.com\nagent_name: ${agent_name}\nallowed_actions:\n  - a.b\nmonetary_limit_per_txn: 1\n`;
}
