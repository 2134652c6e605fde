import { describe, expect, test } from 'vitest';
import { nightly } from '../../support/runs.ts';
import { type JournalTerms, makeJournal } from './journal.ts';
import { randomOf } from './random.ts';
import { replayed } from './replayed.ts';

const ALL = { budgets: true, holds: true, refunds: true, approvals: true, edits: true, states: true };
const RECORDS = nightly(20_000, 300);
const SEEDS = nightly(50, 2);

/** The kinds of journals that are tried. */
const KINDS: Readonly<Record<string, Omit<JournalTerms, 'records'>>> = {
  'rules alone': { edits: true, states: true },
  budgets: { budgets: true },
  'budgets that give back': { budgets: true, holds: true, refunds: true },
  everything: ALL,
  'everything at once': { ...ALL, stepMs: 30 },
};

describe.each(Object.entries(KINDS))('a journal of %s', (_, kind) => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'replayed as recorded turns no verdict (seed %i)',
    async (seed) => {
      const made = await makeJournal(randomOf(seed), { ...kind, records: RECORDS });
      for (const agent of made.agents.slice(0, 3)) {
        const { answer, seen } = await replayed(made, agent, { passport: 'recorded' });
        const turned = seen.filter(
          ({ verdict, isAllow }) => verdict !== null && (verdict === 'ALLOW') !== isAllow,
        );
        expect(turned).toEqual([]);
        expect(answer.judged).toBe(seen.length);
        expect(answer.covered.complete).toBe(true);
        if (!('budgets' in kind)) expect(answer.unknown).toEqual({});
      }
    },
    60_000,
  );
});
