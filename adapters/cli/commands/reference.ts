import { readFile, writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { endpoints, openApiDocument } from '../../../src/http/index.ts';
import { usageError } from '../output/error.ts';
import { errorsPage } from '../output/errors-page.ts';
import { referenceOf } from '../output/reference.ts';
import { print, visible } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';

interface OpenApiOptions {
  readonly out?: string;
}

export const openApiCommand: CliCommand = {
  name: 'openapi',
  summary: 'print the API as an OpenAPI 3.1 document',
  options: [new Option('--out <path>', 'file to write the document to (default: stdout)')],
  notes: `The document describes every endpoint. A running service serves its own document at /api/openapi.json, without the
endpoints that its settings turn off.`,
  examples: ['agent-identity openapi > openapi.json', 'agent-identity openapi --out openapi.json'],
  async run(_args, { out }: OpenApiOptions) {
    const text = JSON.stringify(openApiDocument(endpoints), null, 2);
    if (out === undefined) return print(text);
    await writeFile(out, `${text}\n`).catch((cause: NodeJS.ErrnoException) => {
      throw usageError(`${out} cannot be written (${cause.code}).`, cause);
    });
    print(`Written to ${visible(out)}`);
  },
};

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
