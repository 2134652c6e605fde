import type { Command } from 'commander';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { outputRecord } from '../output/record.ts';

/** Adds `effective` to `passport`. */
export function addEffectiveCommand(passport: Command): void {
  addBackendOptions(
    passport
      .command('effective')
      .description('show what a passport and all those above it allow together')
      .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>'),
    'manage',
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ agent-identity passport effective did:web:example.com:agents:shopper-helper',
    )
    .action(async (agentId: string, options: BackendOptions, command: Command) => {
      const found = await withBackend(command, 'manage', (backend) => backend.passports.effective(agentId));
      outputRecord(found, options);
    });
}
