import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { endpoints, openApiDocument } from '../../../src/http/index.ts';
import { usageError } from '../output/error.ts';
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
