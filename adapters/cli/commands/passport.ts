import { type Command, Option } from 'commander';
import { PASSPORT_STATUSES } from '../../../src/http/index.ts';
import type { PassportInput, PassportStatus } from '../../../src/index.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { readJsonFile } from '../input/text-file.ts';
import { outputRecord } from '../output/record.ts';
import { table } from '../output/table.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { addBudgetsCommand } from './passport-budgets.ts';
import { addDiffCommand } from './passport-diff.ts';
import { addEffectiveCommand } from './passport-effective.ts';
import { addExportCommand } from './passport-export.ts';
import { addFieldOptions, fieldsOf } from './passport-fields.ts';
import { addImportCommand } from './passport-import.ts';
import { addPurgeCommand } from './passport-purge.ts';
import { addReplayCommand } from './passport-replay.ts';
import { addSignCommands } from './passport-sign.ts';
import { addStateCommands } from './passport-state.ts';
import { addUpdateCommand } from './passport-update.ts';
import { addVersionsCommand } from './passport-versions.ts';
import { keysOf, publicKeyOption } from './public-key-files.ts';

interface ListOptions extends BackendOptions, LimitOptions {
  readonly status?: PassportStatus;
  readonly domain?: string;
  readonly parent?: string;
}

/** Adds `passport create|list|show|update|versions|diff|replay|revoke|suspend|reinstate|sign|check|export|import`. */
export function addPassportCommands(program: Command): void {
  const passport = program.command('passport').description('Passports: what agents may do');

  const create = passport
    .command('create')
    .description('issue a passport, from a JSON file, from flags, or both: flags win')
    .argument('[file]', 'a JSON file with the fields of the passport, - for stdin');
  addBackendOptions(addFieldOptions(create, 'all').addOption(publicKeyOption()), 'manage')
    .addHelpText('after', CREATE_EXAMPLES)
    .action(async (file: string | undefined, options: BackendOptions, command: Command) => {
      const given = { ...fieldsOf(command.opts()), ...(await keysOf(command.opts())) };
      const fields = { ...(file !== undefined && (await readJsonFile(file))), ...given };
      // The service checks it, and names every field that is wrong.
      const input = fields as unknown as PassportInput;
      const made = await withBackend(command, 'manage', (backend) => backend.passports.create(input));
      if (options.json) printJson(made);
      else print(`Issued ${visible(made.agent_id)}`);
    });

  addBackendOptions(
    passport
      .command('list')
      .description('list the passports, newest first')
      .addOption(new Option('--status <status>', 'only those of this status now').choices(PASSPORT_STATUSES))
      .option('--domain <domain>', 'only those of this domain')
      .option('--parent <agent_id>', 'only the helpers of this agent')
      .addOption(limitOption()),
    'manage',
  )
    .addHelpText('after', '\nExample:\n  $ agent-identity passport list --status suspended')
    .action(async (options: ListOptions, command: Command) => {
      const { status, domain, parent } = options;
      const filter = {
        ...(status && { status }),
        ...(domain !== undefined && { domain }),
        ...(parent !== undefined && { parent_agent_id: parent }),
      };
      const page = await withBackend(command, 'manage', (backend) =>
        firstRecords((request) => backend.passports.list({ ...request, ...filter }), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map((found) => [
        found.agent_id,
        found.status,
        `${found.monetary_limit_per_txn} ${found.currency ?? ''}`.trim(),
        `${found.version}`,
        found.updated_at,
      ]);
      print(table([['AGENT', 'STATUS', 'LIMIT', 'VERSION', 'UPDATED'], ...rows]));
    });

  addBackendOptions(
    passport
      .command('show')
      .description('show a passport')
      .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>'),
    'manage',
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ agent-identity passport show did:web:example.com:agents:shopper --json > passport.json',
    )
    .action(async (agentId: string, options: BackendOptions, command: Command) => {
      const found = await withBackend(command, 'manage', (backend) => backend.passports.get(agentId));
      outputRecord(found, options);
    });

  addUpdateCommand(passport);
  addVersionsCommand(passport);
  addBudgetsCommand(passport);
  addDiffCommand(passport);
  addEffectiveCommand(passport);
  addReplayCommand(passport);
  addStateCommands(passport);
  addPurgeCommand(passport);
  addSignCommands(passport);
  addExportCommand(passport);
  addImportCommand(passport);
}

const CREATE_EXAMPLES = `
Examples:
  $ agent-identity passport create passport.json
  $ agent-identity passport create --domain example.com --agent-name shopper \\
      --allowed-actions payments.create --monetary-actions payments.create \\
      --monetary-limit-per-txn 100 --currency EUR`;
