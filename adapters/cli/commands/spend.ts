import { Option } from 'commander';
import { spendOperations } from '../../../src/core/spending/operations.ts';
import { inputOf } from './answering.ts';
import type { CommandGroup } from './command.ts';
import { commandsOf } from './from-operations.ts';
import { USAGE } from './verify.ts';

const FAMILY = {
  group: 'spend',
  parameters: {
    decision_id: {
      help: 'decision_id of the ALLOW that took the amount from the budgets; the id begins with dec_',
      example: 'dec_5nWq8ZrT2yLkXc0BvHs4Ge',
    },
  },
};

const ONCE = new Option(
  '--idempotency-key <key>',
  'key that you choose; if you repeat the command with the same key within 24 hours, the service acts only once and gives the same answer',
);

export const spendCommands: CommandGroup = {
  name: 'spend',
  summary: 'manage spends of budgets',
  commands: commandsOf(spendOperations, FAMILY, {
    get: { summary: 'show the amount that an ALLOW took from budgets' },
    commit: {
      summary: 'spend a reserved amount and return the rest to the budget',
      flags: {
        amount: '<decimal> amount to spend, as an exact decimal (default: the whole reserved amount)',
      },
      options: [...Object.values(USAGE), ONCE],
      notes:
        'You can spend more than the reserved amount, up to ten times as much. For this, each budget in money needs the setting `overrun: true`. Budgets in tokens or credits need no setting.',
      example: ['--amount 19.99', '--tokens 1180'],
      prepare(input, options) {
        const usage = inputOf(USAGE, { ...options });
        return Object.keys(usage).length === 0 ? input : { ...input, usage };
      },
    },
    extend: {
      summary: 'let the reservation of an amount (a hold) expire later',
      flags: {
        hold_seconds:
          '<number> seconds from now until the hold expires, 1 to 604800 (required); an earlier time than before changes nothing',
      },
      example: '--hold-seconds 600',
    },
    release: {
      summary: 'return a reserved or spent amount to the budget',
      flags: { amount: '<decimal> amount to return, as an exact decimal (default: the whole amount)' },
      options: [ONCE],
      notes: 'The command changes only budgets. It moves no money.',
      example: '--amount 19.99',
    },
  }),
};
