import { type Command, Option } from 'commander';
import { SCOPES } from '../../../src/http/index.ts';
import type { Scope } from '../../../src/index.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { usageError } from '../output/error.ts';
import { outputRecord } from '../output/record.ts';
import { graceOption } from './grace-option.ts';

interface UpdateOptions extends BackendOptions {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly agentIds?: readonly string[];
  readonly allAgents?: boolean;
}

interface RotateOptions extends BackendOptions {
  readonly graceSeconds: number;
}

/** `--scopes` of a key. */
export function scopesOption(description: string): Option {
  return new Option('--scopes <scope...>', description).choices(SCOPES);
}

/** Adds `update|rotate` to `key`. */
export function addKeyChangeCommands(key: Command): void {
  addBackendOptions(
    key
      .command('update')
      .description('change the name, the scopes or the agents of a key; other fields stay')
      .argument('<id>', 'the id of the key: key_…')
      .option('--name <name>', 'a name for people, 1 to 100 characters')
      .addOption(scopesOption('what it may do from now on'))
      .option('--agent-ids <agent_id...>', 'the only agents it may ask about from now on')
      .addOption(
        new Option('--all-agents', 'it may ask about every agent of the account').conflicts('agentIds'),
      ),
    'manage',
  )
    .addHelpText(
      'after',
      `
Examples:
  $ agent-identity key update key_0aZ… --name till --scopes verify
  $ agent-identity key update key_0aZ… --all-agents --url http://localhost:3000/api`,
    )
    .action(async (id: string, options: UpdateOptions, command: Command) => {
      const { name, scopes, agentIds, allAgents } = options;
      const patch = {
        ...(name !== undefined && { name }),
        ...(scopes && { scopes }),
        ...(agentIds && { agent_ids: agentIds }),
        ...(allAgents && { agent_ids: null }),
      };
      if (Object.keys(patch).length === 0) {
        throw usageError('Name what to change: --name, --scopes, --agent-ids or --all-agents.');
      }
      const changed = await withBackend(command, 'manage', (backend) => backend.keys.update(id, patch));
      outputRecord(changed, options);
    });

  addBackendOptions(
    key
      .command('rotate')
      .description('replace a key by a new one with the same rights; the new secret is shown only this time')
      .argument('<id>', 'the id of the key: key_…')
      .addOption(graceOption('how long the old key keeps working')),
    'manage',
  )
    .addHelpText(
      'after',
      `
The old key never outlives its own expiry. A key is rotated once: rotate the new one the next time.

Examples:
  $ agent-identity key rotate key_0aZ…
  $ agent-identity key rotate key_0aZ… --grace-seconds 3600 --url http://localhost:3000/api`,
    )
    .action(async (id: string, options: RotateOptions, command: Command) => {
      const rotation = { grace_seconds: options.graceSeconds };
      const made = await withBackend(command, 'manage', (backend) => backend.keys.rotate(id, rotation));
      outputRecord(made, options);
    });
}
