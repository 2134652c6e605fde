import { type Command, Option } from 'commander';
import type { PassportInput } from '../../../src/index.ts';
import { allPages } from '../backend/all-pages.ts';
import { addBackendOptions, type BackendOptions, withBackend } from '../backend/backend.ts';
import { readJsonFile } from '../input/text-file.ts';
import { fieldList, table } from '../output/table.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { addStateCommands } from './passport-state.ts';
import { addVersionsCommand } from './passport-versions.ts';

type Status = 'active' | 'suspended' | 'revoked' | 'expired';

interface ListOptions extends BackendOptions {
  readonly status?: Status;
  readonly domain?: string;
}

/** Adds `passport create|list|show|versions|revoke|suspend|reinstate`. */
export function addPassportCommands(program: Command): void {
  const passport = program.command('passport').description('Passports: what agents may do');

  const create = passport
    .command('create')
    .description('issue a passport, from a JSON file, from flags, or both: flags win')
    .argument('[file]', 'a JSON file with the fields of the passport, - for stdin');
  for (const [flags, description] of FIELD_FLAGS) create.option(flags, description);
  addBackendOptions(create, 'manage')
    .addHelpText('after', CREATE_EXAMPLES)
    .action(async (file: string | undefined, options: BackendOptions, command: Command) => {
      const fields = { ...(file !== undefined && (await readJsonFile(file))), ...fieldsOf(command.opts()) };
      // The service checks it, and names every field that is wrong.
      const input = fields as unknown as PassportInput;
      const made = await withBackend(command, 'manage', (backend) => backend.createPassport(input));
      if (options.json) printJson(made);
      else print(`Issued ${visible(made.agent_id)}`);
    });

  addBackendOptions(
    passport
      .command('list')
      .description('list the passports, newest first')
      .addOption(
        new Option('--status <status>', 'only those of this status now').choices([
          'active',
          'suspended',
          'revoked',
          'expired',
        ]),
      )
      .option('--domain <domain>', 'only those of this domain'),
    'manage',
  )
    .addHelpText('after', '\nExample:\n  $ agent-identity passport list --status suspended')
    .action(async (options: ListOptions, command: Command) => {
      const { status, domain } = options;
      const filter = { ...(status && { status }), ...(domain !== undefined && { domain }) };
      const page = await withBackend(command, 'manage', (backend) =>
        allPages((request) => backend.listPassports({ ...request, ...filter })),
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
      const found = await withBackend(command, 'manage', (backend) => backend.getPassport(agentId));
      if (options.json) printJson(found);
      else print(fieldList(found));
    });

  addVersionsCommand(passport);
  addStateCommands(passport);
}

/** One flag per field of a passport; the field is the flag with `_` for `-`. */
const FIELD_FLAGS: readonly (readonly [string, string])[] = [
  ['--domain <domain>', 'the domain that answers for the agent'],
  ['--agent-name <name>', 'its name there'],
  ['--allowed-actions <action...>', 'actions, or patterns such as orders.*'],
  ['--monetary-limit-per-txn <amount>', 'exact decimal, such as 99.50'],
  ['--denied-actions <action...>', 'denied whatever is allowed'],
  ['--currency <code>', 'ISO 4217, such as EUR'],
  ['--allowed-targets <did...>', 'DIDs, or did:web:*.example.com (default: any)'],
  ['--monetary-actions <action...>', 'actions that must carry an amount'],
  ['--not-before <instant>', 'RFC 3339 instant from which it is valid'],
  ['--expires-at <instant>', 'RFC 3339 instant from which it is not valid any more'],
  ['--description <text>', 'up to 500 characters'],
];

/** The fields that were given as flags; amounts stay text, so that they stay exact. */
function fieldsOf(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [flags] of FIELD_FLAGS) {
    const name = flags.slice(2, flags.indexOf(' '));
    const value = options[name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) fields[name.replaceAll('-', '_')] = value;
  }
  return fields;
}

const CREATE_EXAMPLES = `
Examples:
  $ agent-identity passport create passport.json
  $ agent-identity passport create --domain example.com --agent-name shopper \\
      --allowed-actions payments.create --monetary-limit-per-txn 100 --currency EUR`;
