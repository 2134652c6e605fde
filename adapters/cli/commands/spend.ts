import { Option } from 'commander';
import type { OnceOptions, SettleInput } from '../../../src/client.ts';
import { accountVerb } from './answering.ts';
import type { Verb, VerbGroup } from './verb.ts';

const ID = { decision_id: 'the verdict that has spent or held, dec_…' };

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
    settleVerb('commit', 'spend what is held; of a smaller amount the rest goes back'),
    settleVerb('release', 'give back what is held, or was spent'),
  ],
};

function settleVerb(name: 'commit' | 'release', summary: string): Verb {
  return accountVerb({
    name,
    summary,
    arguments: ID,
    fields: { amount: new Option('--amount <decimal>', 'this much of it, exact (default: all)') },
    options: [
      new Option('--idempotency-key <key>', 'for 24 hours the same request under it is carried out once'),
    ],
    examples: [`agent-identity spend ${name} dec_5nWq8ZrT2yLkXc0BvHs4Ge --amount 19.99`],
    call: ({ spends }, { decision_id }, input: SettleInput, { idempotencyKey }: OnceOptions) =>
      spends[name](decision_id, input, idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}
