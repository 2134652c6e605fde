import type { Command } from 'commander';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { outputRecord } from '../output/record.ts';

interface SettleOptions extends BackendOptions {
  readonly amount?: string;
  readonly idempotencyKey?: string;
}

const ID = ['<decision_id>', 'the verdict that has spent or held, dec_…'] as const;

/** Adds `spend show|commit|release`. */
export function addSpendCommands(program: Command): void {
  const spend = program.command('spend').description('Spends: what verdicts have spent of budgets, or hold');
  addBackendOptions(
    spend
      .command('show')
      .description('show a spend')
      .argument(...ID),
    'manage',
  )
    .addHelpText('after', '\nExample:\n  $ agent-identity spend show dec_5nWq8ZrT2yLkXc0BvHs4Ge')
    .action(async (id: string, options: BackendOptions, command: Command) => {
      outputRecord(await withBackend(command, 'manage', (backend) => backend.spends.get(id)), options);
    });
  addSettleCommand(spend, 'commit', 'spend what is held; of a smaller amount the rest goes back');
  addSettleCommand(spend, 'release', 'give back what is held, or was spent');
}

function addSettleCommand(spend: Command, verb: 'commit' | 'release', description: string): void {
  addBackendOptions(
    spend
      .command(verb)
      .description(description)
      .argument(...ID)
      .option('--amount <decimal>', 'this much of it, exact (default: all)')
      .option('--idempotency-key <key>', 'for 24 hours the same request under it is carried out once'),
    'manage',
  )
    .addHelpText(
      'after',
      `\nExample:\n  $ agent-identity spend ${verb} dec_5nWq8ZrT2yLkXc0BvHs4Ge --amount 19.99`,
    )
    .action(async (id: string, options: SettleOptions, command: Command) => {
      const { amount, idempotencyKey } = options;
      const input = amount === undefined ? {} : { amount };
      const settled = await withBackend(command, 'manage', (backend) =>
        backend.spends[verb](id, input, idempotencyKey === undefined ? {} : { idempotencyKey }),
      );
      outputRecord(settled, options);
    });
}
