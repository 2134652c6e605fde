import { readFile, writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { usageError } from '../output/error.ts';
import { errorsPage } from '../output/errors-page.ts';
import { referenceOf } from '../output/reference.ts';
import { print } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';

interface ReferenceOptions {
  readonly write?: string;
  readonly errors?: string;
}

export const REFERENCE_MARKS = {
  begin: '<!-- command reference: begin -->',
  end: '<!-- command reference: end -->',
} as const;

export const referenceCommand: CliCommand = {
  name: 'reference',
  summary: 'print the reference of every command as Markdown',
  isHidden: true,
  options: [
    new Option('--write <path>', 'put it between the marks of this file instead'),
    new Option('--errors <path>', 'write the page of every error code to this file'),
  ],
  examples: ['agent-identity reference --write adapters/cli/README.md'],
  async run(_args, { write, errors }: ReferenceOptions, command) {
    if (errors !== undefined) return writeFile(errors, errorsPage());
    const reference = referenceOf(command.parent ?? command);
    if (write === undefined) return print(reference);
    const { begin, end } = REFERENCE_MARKS;
    const text = await readFile(write, 'utf8');
    const [start, endIndex] = [text.indexOf(begin), text.indexOf(end)];
    if (start < 0 || endIndex < start) throw usageError(`${write} lacks ${begin} or ${end}. Add both lines.`);
    const head = text.slice(0, start + begin.length);
    await writeFile(write, `${head}\n\n${reference}\n\n${text.slice(endIndex)}`);
  },
};
