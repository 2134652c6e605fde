import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { REFERENCE_MARKS } from '../../adapters/cli/commands/reference.ts';
import { errorsPage } from '../../adapters/cli/output/errors-page.ts';
import { referenceOf } from '../../adapters/cli/output/reference.ts';
import { createProgram } from '../../adapters/cli/program.ts';
import { endpoints, openApiDocument } from '../../src/http/index.ts';
import { readPage } from '../readme/pages.ts';
import { run } from '../support/command.ts';
import { openFolder } from '../support/process.ts';

const { begin, end } = REFERENCE_MARKS;
const reference = referenceOf(createProgram());

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = openFolder());
});

afterEach(() => remove());

test('the page of the command has exactly what the definitions of the commands give (npm run docs:cli)', () => {
  const page = readPage('adapters/cli/README.md');
  const [, written] = page.split(new RegExp(`${begin}|${end}`));
  expect(written).toBe(`\n\n${reference}\n\n`);
});

test('the page of errors is what the table of codes gives (npm run docs:cli)', async () => {
  expect(readPage('src/http/ERRORS.md')).toBe(errorsPage());
  const file = join(folder, 'ERRORS.md');
  expect((await run(['reference', '--errors', 'ERRORS.md'], { cwd: folder })).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(errorsPage());
});

test('the reference names every flag, argument, variable, default and example of every command', () => {
  for (const chapter of reference.split(/^### /m).slice(2)) {
    const [title = ''] = chapter.split('\n', 1);
    const words = title.split(' ').slice(1);
    let command = createProgram();
    for (const word of words) {
      const next = command.commands.find((child) => child.name() === word);
      if (next === undefined) throw new Error(`There is no command ${title}`);
      command = next;
    }
    for (const { name } of command.registeredArguments.map((argument) => ({ name: argument.name() }))) {
      expect(chapter).toMatch(new RegExp(`^- \`[<[]${name}[>\\]]\`: `, 'm'));
    }
    for (const { flags, long, envVar, defaultValue } of command.options) {
      expect(chapter).toContain(`\`${long}`);
      const [line = ''] = reference.split('\n').filter((text) => text.startsWith(`- \`${flags}\`: `));
      expect(line).not.toBe('');
      if (envVar !== undefined) expect(reference).toContain(`variable \`${envVar}\``);
      if (defaultValue !== undefined) expect(reference).toContain(`default \`${defaultValue}\``);
    }
    expect(chapter).toContain('    $ agent-identity');
  }
});

test('reference prints it, and writes it between the marks of a file', async () => {
  expect(await run(['reference'], { cwd: folder })).toMatchObject({
    code: 0,
    stdout: `${reference}\n`,
    stderr: '',
  });
  const file = join(folder, 'README.md');
  writeFileSync(file, `before\n${begin}\nold\n${end}\nafter\n`);
  expect((await run(['reference', '--write', 'README.md'], { cwd: folder })).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(`before\n${begin}\n\n${reference}\n\n${end}\nafter\n`);
  writeFileSync(file, 'no marks\n');
  expect((await run(['reference', '--write', 'README.md'], { cwd: folder })).code).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('no marks\n');
});

test('leaves the command reference out of the help', async () => {
  expect((await run(['--help'], { cwd: folder })).stdout).not.toContain('reference');
});

test('openapi prints the document of the table, or writes it to a file', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(endpoints)));
  const printed = await run(['openapi'], { cwd: folder });
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(printed.stdout)).toEqual(document);
  const written = await run(['openapi', '--out', 'openapi.json'], { cwd: folder });
  expect(written).toMatchObject({ code: 0, stdout: 'Written to openapi.json\n' });
  expect(JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'))).toEqual(document);
  expect(await run(['openapi', '--out', 'no/where.json'], { cwd: folder })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'agent-identity: no/where.json cannot be written (ENOENT).\n',
  });
});
