import { Option } from 'commander';
import type { CommitInput, ExtendInput, OnceOptions, SettleInput } from '../../../src/client.ts';
import { accountVerb, inputOf } from './answering.ts';
import type { VerbGroup } from './verb.ts';
import { numberOf, USAGE } from './verify.ts';

const ID = { decision_id: 'the verdict that has spent or held, dec_…' };

const ONCE = new Option(
  '--idempotency-key <key>',
  'for 24 hours the same request under it is carried out once',
);

const commitVerb = accountVerb({
  name: 'commit',
  summary: 'spend a hold; the rest of a smaller amount goes back',
  arguments: ID,
  fields: { amount: new Option('--amount <decimal>', 'exact (default: as held)') },
  options: [...Object.values(USAGE), ONCE],
  notes: 'If each budget has overrun, more than is held may be spent, up to ten times.',
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

const extendVerb = accountVerb({
  name: 'extend',
  summary: 'extend a hold, until some seconds from now',
  arguments: ID,
  fields: {
    hold_seconds: new Option('--hold-seconds <number>', 'required; 1 to 604800 from now').argParser(numberOf),
  },
  examples: ['agent-identity spend extend dec_5nWq8ZrT2yLkXc0BvHs4Ge --hold-seconds 600'],
  call: ({ spends }, { decision_id }, input: ExtendInput) => spends.extend(decision_id, input),
});

const releaseVerb = accountVerb({
  name: 'release',
  summary: 'return a hold, or refund a spend',
  arguments: ID,
  fields: { amount: new Option('--amount <decimal>', 'this much of it, exact (default: all)') },
  options: [ONCE],
  examples: ['agent-identity spend release dec_5nWq8ZrT2yLkXc0BvHs4Ge --amount 19.99'],
  call: ({ spends }, { decision_id }, input: SettleInput, options: OnceOptions) =>
    spends.release(decision_id, input, onceOf(options)),
});

function onceOf({ idempotencyKey }: OnceOptions): OnceOptions {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

export const spendVerbs: VerbGroup = {
  name: 'spend',
  summary: 'manage spends of budgets',
  verbs: [
    accountVerb({
      name: 'show',
      summary: 'show a spend',
      arguments: ID,
      examples: ['agent-identity spend show dec_5nWq8ZrT2yLkXc0BvHs4Ge'],
      call: ({ spends }, { decision_id }) => spends.get(decision_id),
    }),
    commitVerb,
    extendVerb,
    releaseVerb,
  ],
};
