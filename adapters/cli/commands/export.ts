import { mkdir } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { isSetName } from '../../../src/http/index.ts';
import { plain } from '../apply/plain-line.ts';
import { isPruned } from '../apply/plan.ts';
import { FORMATS, type Format, writePassport } from '../apply/write-folder.ts';
import { accountOptions, withBackend } from '../backend/backend.ts';
import { patient } from '../backend/patience.ts';
import { everyPassport } from '../import/present-passports.ts';
import { print } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';

interface ExportOptions {
  readonly set?: string;
  readonly format: Format;
}

export const exportCommand: CliCommand = {
  name: 'export',
  summary: 'write the passports as files for the apply command',
  arguments: { folder: 'folder to write to; each passport becomes <domain>/<agent_name>.json' },
  options: [
    new Option(
      '--set <name>',
      'write only the passports of this set, whose managed_by is the name',
    ).argParser(setName),
    new Option('--format <format>', 'format of the files').choices(FORMATS).default('json'),
    ...accountOptions(),
  ],
  notes: `The export leaves out revoked passports. The export also leaves out passports that \`apply --prune\`
suspended, because \`apply\` would reinstate a passport with a file. The command writes each file under a temporary name
and then renames it, so that no program reads an incomplete file. The command deletes no existing file, and fails if the
folder of a domain is a symbolic link. If you run \`apply\` right after the export, \`apply\` changes nothing.`,
  examples: ['agent-identity export ./agents --url https://id.example.com/api'],
  async run({ folder }: { readonly folder: string }, { set, format }: ExportOptions, command) {
    const foundPassports = await withBackend(command, ({ passports }) =>
      everyPassport(
        { passports: patient(passports, ['list']) },
        set === undefined ? {} : { managed_by: set },
      ),
    );
    const declaredPassports = foundPassports.filter(
      (passport) => passport.status !== 'revoked' && !isPruned(passport),
    );
    await mkdir(folder, { recursive: true });
    for (const passport of declaredPassports) await writePassport(folder, passport, format);
    print(plain(`Wrote ${declaredPassports.length} passports to ${folder}.`));
  },
};

export function setName(text: string): string {
  if (isSetName(text)) return text;
  throw new InvalidArgumentError('It must be a name such as prod: [a-z0-9][a-z0-9._-]{0,63}.');
}
