import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../src/http/index.ts';
import { HEADS } from '../src/verdict/codes.ts';
import { openWorkplace, type Running, root, startServer, type Workplace } from './readme/run.ts';
import { assertPrinted, type Block, blocksOf, tableBelow } from './readme/snippets.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const blocks = blocksOf(readme);
const setUp = ['npm ci && npm start', 'npm ci && npm test'];

/** The commands that set the project up are what `.ci/run` and a newcomer run; the rest is run here. */
const scripts = blocks.filter(({ language, text }) => language === 'sh' && !setUp.includes(text.trim()));
const modules = blocks.filter(({ language }) => language === 'js');
const PASSWORD = 'a password for the README';

let workplace: Workplace;
let server: Running;
let printed: readonly string[];
let apiKey: string;

beforeAll(async () => {
  workplace = await openWorkplace({
    AGENT_IDENTITY_PASSWORD: PASSWORD,
    AGENT_IDENTITY_STORAGE: 'sqlite:./agent-identity.db',
  });
  server = await startServer(workplace);
  const texts = [...scripts.map(({ text }) => onThisPort(text)), 'printf %s "$key"'];
  printed = await workplace.runShell(texts);
  apiKey = printed.at(-1) ?? '';
});

afterAll(async () => {
  await server?.stop();
  await workplace?.remove();
});

test('exactly two commands set the project up, and .ci/run gives the same', () => {
  const commands = blocks.filter(({ text }) => /\bnpm\b/.test(text)).map(({ text }) => text.trim());
  expect(commands).toEqual(setUp);
  const ci = read('.ci/run');
  for (const command of ['npm ci', 'npm test']) expect(ci).toContain(command);
});

test('every block is run, is an output of one that is, or is a diagram', () => {
  const outputs = blocks.filter(({ output }) => output !== undefined).length;
  const others = blocks.filter(({ language }) => language === 'text' || language === 'json');
  expect(others).toHaveLength(outputs);
  const languages = new Set(blocks.map(({ language }) => language));
  expect([...languages].sort()).toEqual(['js', 'json', 'mermaid', 'sh', 'text']);
});

test('the first example has at most twelve lines', () => {
  expect(modules[0]?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
});

describe('a script prints what it is said to print', () => {
  for (const [index, script] of scripts.entries()) {
    test(nameOf(script), () => expectPrinted(printed[index], script));
  }
});

describe('a module runs and prints what it is said to print', () => {
  for (const module of modules) {
    test(nameOf(module), async () => {
      const key = `process.env.AGENT_IDENTITY_API_KEY = ${JSON.stringify(apiKey)};`;
      expectPrinted(await workplace.runModule(`${key}\n${onThisPort(module.text)}`), module);
    });
  }
});

test('the table of rules has every code, in the order in which reasons are listed', () => {
  expect(tableBelow(readme, 'The rules').map(([code]) => code)).toEqual(
    HEADS.map(({ code }) => `\`${code}\``),
  );
});

test('the table of endpoints is the one that is served, with its credentials', () => {
  const credentials = { none: 'none', session: 'token', key: 'key', either: 'key' } as const;
  const served = endpoints.map(({ method, path, credential, scope }) => {
    const scoped = scope === undefined ? credentials[credential] : `key, scope \`${scope}\``;
    return [`${method} ${path}`, credential === 'either' ? `${scoped}, or token` : scoped];
  });
  expect(tableBelow(readme, 'Endpoints').map((row) => row.slice(0, 2))).toEqual(served);
});

test('every file that is linked is there', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path);
  expect(links).not.toEqual([]);
  for (const path of links) expect(read(path)).not.toBe('');
});

test('every command of the project that is named exists', () => {
  const known: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
  const named = [...readme.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in known))).toEqual([]);
});

test('the changelog tells of this version or of what comes after it', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(read('CHANGELOG.md')).toMatch(
    new RegExp(`## \\[(?:Unreleased|${version.replaceAll('.', '\\.')})\\]`),
  );
});

function nameOf({ line, text }: Block): string {
  return `line ${line}: ${text.split('\n', 1)[0]}`;
}

function onThisPort(text: string): string {
  return text.replaceAll('http://localhost:3000', `http://localhost:${server.port}`);
}

function expectPrinted(given: string | undefined, { output }: Block): void {
  if (output === undefined) expect(given).toBe('');
  else assertPrinted(given ?? '', output);
}
