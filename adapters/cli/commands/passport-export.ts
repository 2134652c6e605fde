import { Option } from 'commander';
import type { Passport } from '../../../src/index.ts';
import { accountOptions, withBackend } from '../backend/backend.ts';
import { openDestination } from '../export/run-export.ts';
import { allPassports } from '../import/parents-first.ts';
import { lineOf } from '../import/passport-line.ts';
import { printProgress, visible } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';

interface ExportOptions {
  readonly output?: string;
}

export const passportExportCommand: CliCommand = {
  name: 'export',
  summary: 'write each passport as a line of JSON, parents first',
  options: [
    new Option(
      '--output <file>',
      'file to write the output to, which replaces an existing file (default: stdout)',
    ),
    ...accountOptions(),
  ],
  notes:
    'The export contains only the current version of each passport, without the authors and times of its changes. `passport import` reads the export.',
  examples: [
    'agent-identity passport export --output passports.jsonl',
    `agent-identity passport export --url http://localhost:3000/api | jq -c 'select(.status == "suspended")'`,
  ],
  async run(_args, { output }: ExportOptions, command) {
    const isShown = output !== undefined || !process.stdout.isTTY;
    const onRead = (count: number): void => {
      if (isShown) printProgress(`${count.toLocaleString('en')} passports`);
    };
    const passports = await withBackend(command, (backend) => allPassports(backend, onRead)).finally(() =>
      printProgress(''),
    );
    const destination = await openDestination(output);
    try {
      await destination.write({ records: passports.map(toRecord) });
    } finally {
      await destination.close();
    }
  },
};

function toRecord(passport: Passport) {
  const { agent_id: id, updated_at: instant } = passport;
  return { id, at: instant, line: `${visible(lineOf(passport))}\n` };
}
