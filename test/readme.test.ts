import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryStorage } from '../adapters/storage/memory/index.ts';
import { DEFAULT_PLANS } from '../src/core/options.ts';
import { endpoints } from '../src/http/index.ts';
import { requestSchemas } from '../src/schema/requests.ts';
import { brokenBy, linksOf, pages, proseOf, readPage } from './readme/pages.ts';
import { root } from './readme/run.ts';
import { blocksOf, SET_UP, tableBelow } from './readme/snippets.ts';
import { readRecipes } from './recipes/recipes.mjs';
import { HEADS } from './support/heads.ts';

const readme = readPage('README.md');
const blocks = blocksOf(readme);

test('exactly two commands set the project up, and .ci/run gives the same', () => {
  const commands = blocks.filter(({ text }) => /\bnpm\b/.test(text)).map(({ text }) => text.trim());
  expect(commands).toEqual(SET_UP);
  const ci = readPage('.ci/run');
  for (const command of ['npm ci', 'npm test']) expect(ci).toContain(command);
});

test('every block of every page is run, is an output of one that is, a text or a diagram', () => {
  for (const page of pages) {
    const blocks = blocksOf(readPage(page));
    // The recipes have a test of their own: each is compiled, or run, or both.
    const recipes = page === 'src/guard/README.md' ? readRecipes().size : 0;
    expect(blocks.filter(({ language }) => language === 'ts')).toHaveLength(recipes);
    const languages = blocks.map(({ language }) => language).filter((name) => name !== 'ts');
    expect(languages.filter((name) => !['js', 'json', 'mermaid', 'sh', 'text'].includes(name))).toEqual([]);
    expect(readPage(page).match(/^ *(```|~~~)/gm) ?? []).toHaveLength(2 * blocks.length);
    // Nothing promises an output that no test has seen; what is no code (a line of a configuration) is `text`.
    const answers = blocks.filter(({ output }) => output?.language === 'json').length;
    expect(languages.filter((name) => name === 'json')).toHaveLength(answers);
    const texts = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
    expect(texts.filter((text) => /^(import|const|await|npm|curl)\b/m.test(text))).toEqual([]);
  }
});

test('every block of the README is run or is the output of one that is', () => {
  const outputs = blocks.filter(({ output }) => output !== undefined).length;
  const others = blocks.filter(({ language }) => language === 'text' || language === 'json');
  expect(others).toHaveLength(outputs);
});

test('no page uses words that a reader has to guess at', () => {
  const GUESSED = /\b(whoever|whosoever|nobody|for ever|so many|turnstile|census)\b/i;
  expect(pages.filter((page) => GUESSED.test(proseOf(readPage(page))))).toEqual([]);
});

test('the figure is on the first screen of the README, and the chart on that of the benchmark', () => {
  expect(readme.split('\n').slice(0, 20).join('\n')).toContain('](bench/results.json)');
  expect(readPage('bench/README.md').split('\n').slice(0, 20).join('\n')).toContain('src="chart.svg"');
});

test('the README is short: 178 lines, 12 kB; llms.txt has 4 kB and ten snippets', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(178);
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12_000);
  const llms = readPage('llms.txt');
  expect(Buffer.byteLength(llms)).toBeLessThanOrEqual(4_000);
  expect(blocksOf(llms).filter(({ language }) => language === 'js')).toHaveLength(10);
});

test('the README has an index of 33 tasks, and at most 900 words before it', () => {
  expect(tableBelow(readme, 'How do I …')).toHaveLength(33);
  const [before = ''] = readme.split('## How do I …');
  expect(proseOf(before).split(/\s+/).length).toBeLessThanOrEqual(900);
  expect(blocks.find(({ language }) => language === 'js')?.line).toBeLessThanOrEqual(20);
});

test('the first example has at most twenty lines, and its passport is a literal', () => {
  const [first] = blocks.filter(({ language }) => language === 'js');
  expect(first?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  expect(first?.text).not.toMatch(/\{ \.\.\./);
});

test('the table of rules has every code, in the order in which reasons are listed', () => {
  expect(tableBelow(readPage('src/verdict/README.md'), 'The rules').map(([code]) => code)).toEqual(
    HEADS.map(({ code }) => `\`${code}\``),
  );
});

test('the table of endpoints is the one that is served, with its credentials', () => {
  const credentials = { none: 'none', session: 'token', key: 'key', either: 'key' } as const;
  const served = endpoints.map(({ method, path, credential, scope }) => {
    const scoped = scope === undefined ? credentials[credential] : `key, scope \`${scope}\``;
    return [`${method} ${path}`, credential === 'either' ? `${scoped}, or token` : scoped];
  });
  expect(tableBelow(readPage('src/http/README.md'), 'Endpoints').map((row) => row.slice(0, 2))).toEqual(
    served,
  );
});

test.each(pages)('every link of %s leads to a file and a heading that are there', (page) => {
  const broken = linksOf(page).flatMap((link) => {
    const why = brokenBy(link);
    return why === undefined ? [] : [`${link.path}#${link.anchor ?? ''}: ${why}`];
  });
  expect(broken).toEqual([]);
});

test('the README leads to every page', () => {
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const { path } of linksOf(page)) if (pages.includes(path)) reached.add(path);
  }
  expect([...reached].sort()).toEqual([...pages].sort());
});

test('llms.txt names every entry point of the package', () => {
  const { exports }: { exports: object } = JSON.parse(readPage('package.json'));
  const entryPoints = Object.keys(exports).filter((entryPoint) => entryPoint !== './package.json');
  expect(entryPoints.filter((entryPoint) => !readPage('llms.txt').includes(`\`${entryPoint}\``))).toEqual([]);
});

test('the table of plans has the numbers of the plans', () => {
  const numbers = (value: number | null): string => value?.toLocaleString('en') ?? 'no limit';
  expect(tableBelow(readPage('src/http/README.md'), 'Plans and rates')).toEqual(
    Object.entries(DEFAULT_PLANS).map(
      ([plan, { keys, passports, verifications_per_minute, writes_per_minute }]) => [
        `\`${plan}\``,
        ...[keys, passports, verifications_per_minute, writes_per_minute].map(numbers),
      ],
    ),
  );
});

test('the table of a passport has every field that an account decides, the required ones marked', () => {
  const { properties, required } = requestSchemas.PassportRequest as unknown as ObjectSchema;
  const rows = tableBelow(readPage('src/verdict/README.md'), 'What a passport says');
  const fields = Object.keys(properties);
  expect(rows.map(([field]) => field).sort()).toEqual(fields.map((field) => `\`${field}\``).sort());
  const marked = rows.filter(([, meaning = '']) => meaning.startsWith('required: '));
  expect(marked.map(([field]) => field).sort()).toEqual(required.map((field) => `\`${field}\``).sort());
});

test('the page for authors of adapters names every method of the port', () => {
  const rows = tableBelow(readPage('src/testing/README.md').replace(/^# /m, '## '), 'A storage of your own');
  const named = rows.flatMap(([methods = '']) => [...methods.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const methods = Object.entries(memoryStorage()).filter(([, member]) => typeof member === 'function');
  // Memory lacks two optional methods: it counts by lists, and nothing takes over from it.
  expect(named.sort()).toEqual([...methods.map(([name]) => name), 'countPassports', 'observe'].sort());
});

test('every command of the project that is named exists', () => {
  const known: Readonly<Record<string, string>> = JSON.parse(readPage('package.json')).scripts;
  const named = pages
    .flatMap((page) => [...readPage(page).matchAll(/\bnpm run ([\w:]+)/g)])
    .map(([, name = '']) => name);
  expect(named.filter((name) => !(name in known))).toEqual([]);
});

test('no comment and no message cites a document that users do not have', () => {
  const sources = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.m?ts$|\.mjs$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  expect(sources.length).toBeGreaterThan(100);
  const INTERNAL = /\b(CONTRACT|ARCHITECTURE|TOOLCHAIN)\b|\b[Ii]ssues? #?\d|§|\bcontract\/\w+\.md/;
  const cited = [...sources, ...pages.map((page) => join(root, page))].filter((path) =>
    INTERNAL.test(readFileSync(path, 'utf8')),
  );
  expect(cited).toEqual([]);
});

test('the packages that npm ci warns about on the oldest Node are those that the README names, and only tests use them', () => {
  const lock: Lock = JSON.parse(readPage('package-lock.json'));
  const tooNew = Object.entries(lock.packages).filter(
    ([, { engines }]) => engines?.node !== undefined && !takesNode20(engines.node),
  );
  const installed = tooNew.filter(([, { optional }]) => optional !== true);
  for (const [path, { dev }] of installed) expect({ path, dev }).toEqual({ path, dev: true });
  const names = installed.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13)).sort();
  expect(readme).toContain(`warns (\`EBADENGINE\`) about ${names.join(' and ')}, which only tests use`);
});

/** Whether a range such as `^20.19 || >=22` has Node 20.19 in one of its parts. */
function takesNode20(range: string): boolean {
  return range.split('||').some((part) => {
    const [, sign, major, minor = '0'] = /^\s*(>=|\^|~)?\s*v?(\d+)(?:\.(\d+))?/.exec(part) ?? [];
    if (major === undefined) return part.includes('*');
    if (sign === '>=') return Number(major) < 20 || (Number(major) === 20 && Number(minor) <= 19);
    return Number(major) === 20 && Number(minor) <= 19;
  });
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly dev?: boolean;
        readonly optional?: boolean;
        readonly engines?: { readonly node?: string };
      }
    >
  >;
}

test('the changelog names this version or the next one', () => {
  const { version } = JSON.parse(readPage('package.json'));
  expect(readPage('CHANGELOG.md')).toMatch(
    new RegExp(`## \\[(?:Unreleased|${version.replaceAll('.', '\\.')})\\]`),
  );
});

test('the figure of the README is that of the results that are published', () => {
  const results: Results = JSON.parse(readPage('bench/results.json'));
  const { p50, ratio } = rowOf(results['node 20'].decide, 'decide, prepared passport in hand');
  expect(readme).toContain(`takes ${(p50 / 1_000).toFixed(2)} µs`);
  const { p50: whole } = rowOf(results['node 20'].verify, 'service.verify');
  expect(readme).toContain(`\`verify\` in process takes ${(whole / 1_000).toFixed(1)} µs`);
  expect(readme).toContain(`${ratio.toFixed(1)} times as long as a check written by hand`);
});

interface ObjectSchema {
  readonly properties: object;
  readonly required: readonly string[];
}

interface Results {
  readonly 'node 20': { readonly decide: Part; readonly verify: Part };
}

interface Part {
  readonly tables: readonly { readonly rows: readonly Row[] }[];
}

interface Row {
  readonly name: string;
  readonly p50: number;
  readonly ratio: number;
}

function rowOf({ tables }: Part, name: string): Row {
  const row = tables.flatMap(({ rows }) => rows).find((each) => each.name === name);
  if (row === undefined) throw new Error(`The results have no row ${name}`);
  return row;
}
