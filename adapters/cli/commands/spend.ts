import { Option } from 'commander';
import type { CommitInput, ExtendInput, OnceOptions, SettleInput } from '../../../src/client.ts';
import { accountCommand, inputOf } from './answering.ts';
import type { CommandGroup } from './command.ts';
import { numberOf, USAGE } from './verify.ts';

const ID = {
  decision_id: 'decision_id of the ALLOW that took the amount from the budgets; the id begins with dec_',
};

const ONCE = new Option(
  '--idempotency-key <key>',
  'key that you choose; if you repeat the command with the same key within 24 hours, the service acts only once and gives the same answer',
);

const commitCommand = accountCommand({
  name: 'commit',
  summary: 'spend a reserved amount and return the rest to the budget',
  arguments: ID,
  fields: {
    amount: new Option(
      '--amount <decimal>',
      'amount to spend, as an exact decimal (default: the whole reserved amount)',
    ),
  },
  options: [...Object.values(USAGE), ONCE],
  notes:
    'You can spend more than the reserved amount, up to ten times as much. For this, each budget in money needs the setting `overrun: true`. Budgets in tokens or credits need no setting.',
  examples: [
    'agent-identity spend commit dec_5nWq8ZrT2yLkXc0BvHs4Ge --amount 19.99',
    'agent-identity spend commit dec_5nWq8ZrT2yLkXc0BvHs4Ge --tokens 1180',
  ],
  prepare(read: CommitInput, options): CommitInput {
    const usage = inputOf(USAGE, { ...options });
    return Object.keys(usage).length === 0 ? read : { ...read, usage };
  },
  call: ({ spends }, { decision_id }, input: CommitInput, options: OnceOptions) =>
    spends.commit(decision_id, input, onceOf(options)),
});

const extendCommand = accountCommand({
  name: 'extend',
  summary: 'let the reservation of an amount (a hold) expire later',
  arguments: ID,
  fields: {
    hold_seconds: new Option(
      '--hold-seconds <number>',
      'seconds from now until the hold expires, 1 to 604800 (required); an earlier time than before changes nothing',
    ).argParser(numberOf),
  },
  examples: ['agent-identity spend extend dec_5nWq8ZrT2yLkXc0BvHs4Ge --hold-seconds 600'],
  call: ({ spends }, { decision_id }, input: ExtendInput) => spends.extend(decision_id, input),
});

const releaseCommand = accountCommand({
  name: 'release',
  summary: 'return a reserved or spent amount to the budget',
  arguments: ID,
  fields: {
    amount: new Option(
      '--amount <decimal>',
      'amount to return, as an exact decimal (default: the whole amount)',
    ),
  },
  options: [ONCE],
  notes: 'The command changes only budgets. It moves no money.',
  examples: ['agent-identity spend release dec_5nWq8ZrT2yLkXc0BvHs4Ge --amount 19.99'],
  call: ({ spends }, { decision_id }, input: SettleInput, options: OnceOptions) =>
    spends.release(decision_id, input, onceOf(options)),
});

function onceOf({ idempotencyKey }: OnceOptions): OnceOptions {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

export const spendCommands: CommandGroup = {
  name: 'spend',
  summary: 'manage spends of budgets',
  commands: [
    accountCommand({
      name: 'show',
      summary: 'show the amount that an ALLOW took from budgets',
      arguments: ID,
      examples: ['agent-identity spend show dec_5nWq8ZrT2yLkXc0BvHs4Ge'],
      call: ({ spends }, { decision_id }) => spends.get(decision_id),
    }),
    commitCommand,
    extendCommand,
    releaseCommand,
  ],
};
