import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PassportPatch } from '../../../src/index.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { addFieldOptions, fieldName, fieldsOf, OPTIONAL_FIELDS } from './passport-fields.ts';
import { keysOf, publicKeyOption } from './public-key-files.ts';

interface UpdateOptions extends BackendOptions {
  readonly remove?: readonly string[];
  readonly ifMatch?: number;
}

/** Adds `update` to `passport`. */
export function addUpdateCommand(passport: Command): void {
  const update = passport
    .command('update')
    .description('change a passport, by a JSON Merge Patch, by flags, or both: flags win; other fields stay')
    .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>')
    .argument('[file]', 'a JSON file with the fields to change, null for those to remove, - for stdin');
  addFieldOptions(update, 'changeable')
    .addOption(publicKeyOption())
    .addOption(new Option('--remove <field...>', 'remove these').choices(OPTIONAL_FIELDS))
    .addOption(
      new Option(
        '--if-match <version>',
        'only if this is still its version, as `passport show` prints it',
      ).argParser(readVersion),
    );
  addBackendOptions(update, 'manage')
    .addHelpText('after', AFTER)
    .action(async (agentId: string, file: string | undefined, options: UpdateOptions, command: Command) => {
      const patch = await readPatch(file, command);
      const condition = options.ifMatch === undefined ? {} : { ifVersion: [options.ifMatch] };
      const changed = await withBackend(command, 'manage', (backend) =>
        backend.passports.update(agentId, patch, condition),
      );
      if (options.json) printJson(changed);
      else print(`${visible(agentId)} is at version ${changed.version}.`);
    });
}

/** The service checks it, and names every field that is wrong. */
async function readPatch(file: string | undefined, command: Command): Promise<PassportPatch> {
  const options = command.opts();
  const { remove = [] } = command.opts<UpdateOptions>();
  const read = file === undefined ? {} : await readJsonFile(file);
  const removed = Object.fromEntries(remove.map((flag) => [fieldName(flag), null]));
  const given = { ...fieldsOf(options), ...(await keysOf(options)) };
  const both = Object.keys(given).find((name) => name in removed);
  if (both !== undefined) throw usageError(`${both} cannot be changed and removed at once.`);
  const patch = { ...read, ...removed, ...given };
  if (Object.keys(patch).length > 0) return patch as PassportPatch;
  throw usageError('Name what to change: a file, flags such as --allowed-actions, or --remove.');
}

function readVersion(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a version, such as 1.');
}

const AFTER = `
Examples:
  $ agent-identity passport update did:web:example.com:agents:shopper --monetary-limit-per-txn 50 --if-match 1
  $ agent-identity passport update did:web:example.com:agents:shopper --remove expires-at
  $ echo '{ "metadata": { "team": "till" } }' | agent-identity passport update did:web:example.com:agents:shopper -`;
