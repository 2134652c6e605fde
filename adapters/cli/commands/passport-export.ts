import type { Command } from 'commander';
import type { Passport } from '../../../src/index.ts';
import { addServiceOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { openDestination } from '../export/destination.ts';
import { allPassports } from '../import/all-passports.ts';
import { lineOf } from '../import/passport-line.ts';
import { printProgress, visible } from '../output/terminal.ts';

interface ExportOptions extends BackendOptions {
  readonly output?: string;
}

/** Adds `export` to `passport`. */
export function addExportCommand(passport: Command): void {
  const verb = passport
    .command('export')
    .description('write every passport as a line of JSON, with its status, by agent_id, parents first')
    .option('--output <file>', 'write to this file, which is replaced (default: stdout)');
  addServiceOptions(verb, 'manage')
    .addHelpText('after', AFTER)
    .action(async ({ output }: ExportOptions, command: Command) => {
      const isShown = output !== undefined || !process.stdout.isTTY;
      const onRead = (count: number): void => {
        if (isShown) printProgress(`${count.toLocaleString('en')} passports`);
      };
      const found = await withBackend(command, 'manage', (backend) => allPassports(backend, onRead)).finally(
        () => printProgress(''),
      );
      const destination = await openDestination(output);
      try {
        await destination.write({ records: found.map(toRecord) });
      } finally {
        await destination.close();
      }
    });
}

function toRecord(passport: Passport) {
  const { agent_id: id, updated_at: at } = passport;
  return { id, at, line: `${visible(lineOf(passport))}\n` };
}

const AFTER = `
The versions, and who changed what and when, are not exported. See also \`passport import\`.

Examples:
  $ agent-identity passport export --output passports.jsonl
  $ agent-identity passport export --url http://localhost:3000/api | jq -c 'select(.status == "suspended")'`;
