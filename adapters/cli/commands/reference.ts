import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { usageError } from '../output/error.ts';
import { referenceOf } from '../output/reference.ts';
import { print } from '../output/terminal.ts';

interface ReferenceOptions {
  readonly write?: string;
}

/** The lines of a page between which the reference stands. */
export const REFERENCE_MARKS = {
  begin: '<!-- command reference: begin -->',
  end: '<!-- command reference: end -->',
} as const;

/** Adds the hidden `reference`: every command in Markdown. */
export function addReferenceCommand(program: Command): void {
  program
    .command('reference', { hidden: true })
    .description('print the reference of every command as Markdown')
    .option('--write <path>', 'put it between the marks of this file instead')
    .addHelpText('after', '\nExample:\n  $ agent-identity reference --write adapters/cli/README.md')
    .action(async ({ write }: ReferenceOptions) => {
      const reference = referenceOf(program);
      if (write === undefined) return print(reference);
      const { begin, end } = REFERENCE_MARKS;
      const text = await readFile(write, 'utf8');
      const [from, to] = [text.indexOf(begin), text.indexOf(end)];
      if (from < 0 || to < from) throw usageError(`${write} lacks ${begin} or ${end}.`);
      const head = text.slice(0, from + begin.length);
      await writeFile(write, `${head}\n\n${reference}\n\n${text.slice(to)}`);
    });
}
