import type { Command } from 'commander';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { confirmed } from '../input/confirmed.ts';
import { print, printJson, visible } from '../output/terminal.ts';

interface PurgeOptions extends BackendOptions {
  readonly yes?: boolean;
}

/** Adds `purge` to `passport`. */
export function addPurgeCommand(passport: Command): void {
  const purge = passport
    .command('purge')
    .description('erase what is kept of an agent whose passport is revoked; its id stays taken')
    .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>')
    .option('--yes', 'do not ask');
  addBackendOptions(purge, 'manage')
    .addHelpText(
      'after',
      `
Its passport keeps nothing but its id. Its verdict records are taken out of the journal and out of the sums, and its
versions, spends, approvals and events are removed. With --url the service does that after its answer.

Example:
  $ agent-identity passport purge did:web:example.com:agents:shopper`,
    )
    .action(async (agent_id: string, options: PurgeOptions, command: Command) => {
      const question = `All that is kept of ${visible(agent_id)} is erased; this cannot be undone.`;
      if (options.yes !== true) await confirmed(question, agent_id);
      await withBackend(command, 'manage', async ({ passports, finishErasures }) => {
        await passports.purge(agent_id);
        await finishErasures();
      });
      if (options.json) printJson({ agent_id, purged: true });
      else print(`${visible(agent_id)} is purged.`);
    });
}
