import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { endpoints, openApiDocument } from '../../../src/http/index.ts';
import { usageError } from '../output/error.ts';
import { print, visible } from '../output/terminal.ts';

interface OpenApiOptions {
  readonly out?: string;
}

/** Adds `openapi`: the description of the API, without any service. */
export function addOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the API as an OpenAPI 3.1 document, made from the table that serves it')
    .option('--out <path>', 'write it to a file instead of stdout')
    .addHelpText('after', AFTER)
    .action(async ({ out }: OpenApiOptions) => {
      const text = JSON.stringify(openApiDocument(endpoints), null, 2);
      if (out === undefined) return print(text);
      await writeFile(out, `${text}\n`).catch((cause: NodeJS.ErrnoException) => {
        throw usageError(`${out} cannot be written (${cause.code}).`, cause);
      });
      print(`Written to ${visible(out)}`);
    });
}

const AFTER = `
It describes every endpoint. A running service serves its own document at /api/openapi.json, without the endpoints
that its settings turn off.

Examples:
  $ agent-identity openapi > openapi.json
  $ agent-identity openapi --out openapi.json`;
