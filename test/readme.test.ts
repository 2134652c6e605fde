import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../src/http/index.ts';
import { AGENT_NOT_FOUND, RULE_FAILED, RULES } from '../src/verdict/rules.ts';
import { root } from './readme/run.ts';
import { blocksOf, SET_UP, tableBelow } from './readme/snippets.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const blocks = blocksOf(readme);

test('exactly two commands set the project up, and .ci/run gives the same', () => {
  const commands = blocks.filter(({ text }) => /\bnpm\b/.test(text)).map(({ text }) => text.trim());
  expect(commands).toEqual(SET_UP);
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
  const modules = blocks.filter(({ language }) => language === 'js');
  expect(modules[0]?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
});

test('the table of rules has every code, in the order in which reasons are listed', () => {
  expect(tableBelow(readme, 'The rules').map(([code]) => code)).toEqual(
    [AGENT_NOT_FOUND, ...RULES, RULE_FAILED].map(({ code }) => `\`${code}\``),
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

test.each(['README.md', 'adapters/storage/README.md'])('every file that %s links to is there', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)/g)];
  expect(links).not.toEqual([]);
  for (const [, path = '', section] of links) {
    const text = read(join(dirname(page), path));
    expect(text).not.toBe('');
    if (section !== undefined) expect(sectionsOf(text)).toContain(section);
  }
});

/** The headings of a page, as links name them. */
function sectionsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

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
