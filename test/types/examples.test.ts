/** The `@example` of each value of the entry points that a newcomer opens first: it runs, and prints what it says. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';
import { installPacked } from '../support/packed.ts';
import { readEntryPoints } from './named-types.ts';

const run = promisify(execFile);
const MAX_LINES = 12;

interface Shown {
  readonly name: string;
  readonly examples: readonly string[];
}

/** The values of these entry points, each once, with the examples that an editor shows for them. */
function valuesOf(entryPoints: readonly string[]): readonly Shown[] {
  const { checker, exports } = readEntryPoints();
  const values = new Map(
    entryPoints.flatMap((entryPoint) =>
      [...(exports.get(entryPoint) ?? [])].filter(([{ flags }]) => flags & ts.SymbolFlags.Value),
    ),
  );
  return [...values].map(([symbol, name]) => ({
    name,
    examples: symbol
      .getJsDocTags(checker)
      .filter((tag) => tag.name === 'example')
      .map(({ text }) => ts.displayPartsToString(text)),
  }));
}

/** What it says that it prints: the comments behind `console.log`. */
function promisedBy(example: string): string {
  return [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`).join('');
}

const values = valuesOf(['.', './guard', './verdict', './client']);

test('the four entry points have values, each with one example of at most 12 lines', () => {
  expect(values.map(({ name }) => name)).toEqual(expect.arrayContaining(['createIdentityService', 'decide']));
  expect(values.filter(({ examples }) => examples.length !== 1).map(({ name }) => name)).toEqual([]);
  const lines = (example = ''): number => example.split('\n').filter((line) => line !== '').length;
  expect(values.filter(({ examples }) => lines(examples[0]) > MAX_LINES).map(({ name }) => name)).toEqual([]);
});

test('each example is a whole program that runs beside the installed package, and prints what it says', async () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { folder } = await installPacked(Object.keys(dependencies));
  for (const [index, { name, examples }] of values.entries()) {
    const example = examples[0] ?? '';
    await writeFile(join(folder, `${index}.mjs`), example);
    const { stdout } = await run(process.execPath, [`${index}.mjs`], { cwd: folder, timeout: 60_000 });
    expect(promisedBy(example), name).not.toBe('');
    expect(stdout, name).toBe(promisedBy(example));
  }
});
