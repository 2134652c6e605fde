/** The intents of the tools of agent hosts. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codingAgentNamed } from '../../adapters/cli/hook/coding-agents.ts';
import { intentsOf } from '../../adapters/cli/hook/intents.ts';
import { before } from './host.ts';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hook-')));
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'other/deep'), { recursive: true });
  writeFileSync(join(folder, 'src/a.ts'), '');
  symlinkSync(join(folder, 'other/deep'), join(folder, 'src/link'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'src/dangling'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function intentsFor(tool: string, input: object, more: object = {}) {
  return intentsOf(codingAgentNamed('claude-code').read(before(folder, tool, input, more))).intents;
}

function intentFor(tool: string, input: object, more?: object) {
  const [intent] = intentsFor(tool, input, more);
  return { ...intent, parameters: { ...intent?.parameters } };
}

test.each([
  ['Bash', { command: 'ls' }, 'shell.run', { command: 'ls' }],
  ['PowerShell', { command: 'ls' }, 'shell.run', { command: 'ls' }],
  ['Bash', { command: 'ls', run_in_background: true }, 'shell.run', { background: true }],
  ['Bash', { command: 'ls', dangerouslyDisableSandbox: true }, 'shell.run', { sandbox: 'off' }],
  [
    'WebFetch',
    { url: 'https://a.example/x', prompt: 'p' },
    'web.fetch',
    { host: 'a.example', scheme: 'https' },
  ],
  ['WebSearch', { query: 'x' }, 'web.search', { query: 'x' }],
  ['Agent', { prompt: 'x' }, 'agent.run', {}],
  ['Task', { prompt: 'x' }, 'agent.run', {}],
  [
    'mcp__github__create__issue',
    { a: { amount: 1 } },
    'mcp:github:create__issue',
    { args: { a: { amount: 1 } } },
  ],
  ['Tomorrow', { x: 1 }, 'tool.Tomorrow', {}],
])('%s %j is %s', (tool, input, action, parameters) => {
  expect(intentFor(tool, input)).toMatchObject({ action, parameters });
});

test.each([
  ['user', 'mcp:db:query'],
  ['sdk', 'mcp:db:query'],
  ['project', 'mcp:project/db:query'],
  ['local', 'mcp:local/db:query'],
  ['plugin', 'mcp:plugin/db:query'],
  ['of-tomorrow', 'mcp:of-tomorrow/db:query'],
])('a server from %s has the action %s', (source, action) => {
  expect(intentFor('mcp__db__query', {}, { mcp_server: { name: 'db', source } })).toMatchObject({ action });
});

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['./src//a.ts', 'src/a.ts'],
  ['src/new/b.ts', 'src/new/b.ts'],
  ['src/link/b.ts', 'other/deep/b.ts'],
  ['src/../src/a.ts', 'src/a.ts'],
])('the path %s is %s', (given, wanted) => {
  for (const [tool, name] of [
    ['Read', 'file_path'],
    ['Write', 'file_path'],
    ['Edit', 'file_path'],
    ['NotebookEdit', 'notebook_path'],
  ] as const) {
    expect(intentFor(tool, { [name]: given }).parameters).toMatchObject({ path: join(folder, wanted) });
  }
});

test.each([
  ['Read', { file_path: 'src/dangling' }],
  ['Write', { file_path: 'src/dangling/x' }],
  ['Read', { file_path: 'src/link/../a.ts' }],
  ['Read', { file_path: 'a\0' }],
  ['Read', { file_path: '~/a' }],
  ['Read', { file_path: ' a' }],
  ['Read', { file_path: '' }],
  ['Read', {}],
  ['Read', { file_path: ['a'] }],
  ['Read', { file_path: 'x'.repeat(4_097) }],
  ['Glob', { pattern: '../*' }],
  ['Glob', { pattern: '{/etc,src}/*' }],
  ['Glob', {}],
  ['Bash', { command: '' }],
  ['Bash', { command: ['ls'] }],
  ['Bash', { command: 'x'.repeat(12_001) }],
  ['WebFetch', { url: 'https://ann@a.example/' }],
  ['WebFetch', { url: 'a.example' }],
  ['mcp__github', {}],
  ['mcp____x', {}],
  ['apply_patch', { command: '*** Begin Patch\n*** End Patch' }],
])('%s %j cannot be read', (tool, input) => {
  expect(() => intentsFor(tool, input)).toThrow();
});

test('a pattern reads the folder in which it can find something', () => {
  expect(intentFor('Glob', { pattern: '**/*.ts' }).parameters).toEqual({ path: folder });
  expect(intentFor('Glob', { pattern: '*.ts', path: 'src' }).parameters).toEqual({
    path: join(folder, 'src'),
  });
  expect(intentFor('Glob', { pattern: '/etc/*.conf' }).parameters).toEqual({ path: '/etc' });
  expect(intentFor('Grep', { pattern: 'x' }).parameters).toEqual({ path: folder });
});

test('an approval binds the content of a file, and each file of a patch', () => {
  const one = intentFor('Write', { file_path: 'a', content: 'x' }).parameters;
  expect(intentFor('Write', { content: 'x', file_path: 'a' }).parameters).toEqual(one);
  expect(intentFor('Write', { file_path: 'a', content: 'y' }).parameters).not.toEqual(one);
  const command =
    '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch';
  const paths = intentsFor('apply_patch', { command }).map(({ parameters }) => parameters?.['path']);
  expect(paths).toEqual(['a', 'b', 'c'].map((name) => join(folder, name)));
});
