import { describe, expect, test } from 'vitest';
import { openShared } from '../../support/stores.ts';
import { type JournalTerms, makeJournal } from './journal.ts';
import { JOURNALS_MS, journalStores, NODES } from './journal-stores.ts';
import { randomOf } from './random.ts';
import { replayed } from './replayed.ts';

const ALL = { budgets: true, holds: true, refunds: true, approvals: true, edits: true, states: true };

/** The kinds of journals that are tried. */
const KINDS: Readonly<Record<string, Omit<JournalTerms, 'records'>>> = {
  'rules alone': { edits: true, states: true },
  budgets: { budgets: true },
  'budgets that give back': { budgets: true, holds: true, refunds: true },
  everything: ALL,
  'everything at once': { ...ALL, stepMs: 30 },
};

describe.each(await journalStores())('on %s a journal of three nodes', (_, store, { records, seeds }) => {
  describe.each(Object.entries(KINDS))('with %s', (_, kind) => {
    test.each(seeds)(
      'replayed as recorded turns no verdict (seed %i)',
      { timeout: JOURNALS_MS },
      async (seed) => {
        const nodes = await openShared(store, NODES);
        const made = await makeJournal(randomOf(seed), { ...kind, records }, nodes);
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
    );
  });
});
