import { type Command, Option } from 'commander';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import type { Environment, Scope } from '../../../src/index.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { outputRecord } from '../output/record.ts';
import { table } from '../output/table.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { exampleOfBoth } from './examples.ts';
import { addKeyChangeCommands, scopesOption } from './key-change.ts';

interface CreateOptions extends BackendOptions {
  readonly environment?: Environment;
  readonly scopes?: readonly Scope[];
  readonly agentIds?: readonly string[];
  readonly expiresAt?: string;
}

/** Adds `key create|list|update|rotate|revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys: what agents and their hosts verify with');

  addBackendOptions(
    key
      .command('create')
      .description('create an API key; its secret is shown only this time')
      .argument('<name>', 'a name for people, 1 to 100 characters')
      .addOption(
        new Option(
          '--environment <name>',
          'a test key may only verify, read events and decide (default: live)',
        ).choices(ENVIRONMENTS),
      )
      .addOption(scopesOption('what it may do (default: verify revoke)'))
      .option('--agent-ids <agent_id...>', 'the only agents it may ask about (default: all of the account)')
      .option('--expires-at <instant>', 'RFC 3339 instant after which it is refused (default: never)'),
    'manage',
  )
    .addHelpText('after', exampleOfBoth('key create checkout --scopes verify'))
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const { environment, scopes, agentIds, expiresAt } = options;
      const input = {
        name,
        ...(environment && { environment }),
        ...(scopes && { scopes }),
        ...(agentIds && { agent_ids: agentIds }),
        ...(expiresAt && { expires_at: expiresAt }),
      };
      const made = await withBackend(command, 'manage', (backend) => backend.keys.create(input));
      outputRecord(made, options);
    });

  addBackendOptions(
    key
      .command('list')
      .description('list the keys, newest first; never their secrets')
      .addOption(limitOption()),
    'manage',
  )
    .addHelpText('after', exampleOfBoth('key list'))
    .action(async (options: BackendOptions & LimitOptions, command: Command) => {
      const page = await withBackend(command, 'manage', (backend) =>
        firstRecords((request) => backend.keys.list(request), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map(({ id, name, start, status, environment, scopes, created_at }) => {
        return [id, name, `${start}…`, status, environment, scopes.join(','), created_at];
      });
      print(table([['ID', 'NAME', 'KEY', 'STATUS', 'ENVIRONMENT', 'SCOPES', 'CREATED'], ...rows]));
    });

  addKeyChangeCommands(key);

  addBackendOptions(
    key
      .command('revoke')
      .description('revoke a key permanently')
      .argument('<id>', 'the id of the key: key_…'),
    'manage',
  )
    .addHelpText('after', exampleOfBoth('key revoke key_0aZ…'))
    .action(async (id: string, options: BackendOptions, command: Command) => {
      await withBackend(command, 'manage', (backend) => backend.keys.revoke(id));
      if (options.json) printJson({ id, status: 'revoked' });
      else print(`${visible(id)} is revoked.`);
    });
}
