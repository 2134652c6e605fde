import { Option } from 'commander';
import { storageOption } from '../backend/backend.ts';
import { examine } from '../doctor/examine.ts';
import { type Finding, worstOf } from '../doctor/finding.ts';
import { openStorage, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { print, visible } from '../output/terminal.ts';
import { answerCommand } from './answering.ts';
import type { CliCommand } from './command.ts';

interface DoctorOptions {
  readonly storage: string;
  readonly secretFile?: string;
}

const EXIT_CODES = { ok: 0, warn: 1, fail: 2 } as const;

export function doctorCommand(version: string): CliCommand {
  return answerCommand({
    name: 'doctor',
    summary: 'find problems of a storage or this machine, with fixes',
    options: [
      storageOption(),
      new Option(
        '--secret-file <path>',
        'file with the signing secret of serve; AGENT_IDENTITY_SECRET can hold the secret itself',
      ),
    ],
    notes: `You can run the command while the service runs. Each line of the output begins with the status of one check. If the
tables are missing or older than this release, the command makes no further checks.

Exit codes of doctor:
  0  each check has the status ok
  1  a check has the status warn, and no check has the status fail
  2  a check has the status fail, or the usage is wrong`,
    examples: ['agent-identity doctor', 'agent-identity doctor --storage postgres://agents@db/agents --json'],
    async call(_, _args, _input, { storage, secretFile }: DoctorOptions) {
      const findings = await examine({ version, place: readStorageUrl(storage), secretFile });
      return { status: worstOf(findings), findings };
    },
    text: ({ findings }) => findings.map(lineOf).join('\n'),
    exitCode: ({ status }) => EXIT_CODES[status],
  });
}

function lineOf({ check, status, detail, action }: Finding): string {
  const head = `${status.padEnd(4)}  ${check.padEnd(10)}  `;
  return `${head}${visible(detail)}${action === undefined ? '' : ` -> ${visible(action)}`}`;
}

interface MigrateOptions {
  readonly storage: string;
  readonly print?: boolean;
}

export const migrateCommand: CliCommand = {
  name: 'migrate',
  summary: 'create or upgrade the tables of a PostgreSQL database',
  options: [
    new Option(
      '--print',
      'print the SQL without running it, so that a role that may create tables can run it',
    ),
    storageOption(),
  ],
  notes:
    'When the service runs, its database role needs SELECT, INSERT, UPDATE and DELETE on the tables, and USAGE on their schema.',
  examples: ['agent-identity migrate --print --storage postgres://agents@db.example.com/agents > tables.sql'],
  async run(_args, { storage, print: isPrinted = false }: MigrateOptions) {
    const place = readStorageUrl(storage);
    if (place.kind !== 'postgres') {
      throw usageError('migrate is for postgres://…: every other storage is set up by its first start.');
    }
    if (isPrinted) {
      const { postgresMigrations } = await import('../../storage/sql/index.ts');
      return print(
        (await postgresMigrations({ url: place.url })) ?? '-- The database has the tables of this release.',
      );
    }
    await (await openStorage(place)).close();
    print('The database has the tables of this release.');
  },
};
