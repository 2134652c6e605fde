import { describe, expect, test } from 'vitest';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { sized } from '../../support/runs.ts';
import { openShared } from '../../support/stores.ts';
import { toldOf } from './asked-again.ts';
import { KINDS, randomPatch } from './changes.ts';
import { type JournalTerms, makeJournal } from './journal.ts';
import { JOURNALS_MS, journalStores, NODES } from './journal-stores.ts';
import { randomOf } from './random.ts';
import type { Seen } from './replayed.ts';

/** Seeds of short journals of two nodes that once found a wrong verdict. */
const FOUND = [
  ['holds', 6],
  ['refunds', 11],
  ['refunds', 62],
] as const;

/** Returns the records of which a replay of a random journal, with a random patch, tells another verdict for certain. */
async function wronglyTold(
  seed: number,
  terms: JournalTerms,
  nodes?: readonly StorageAdapter[],
): Promise<readonly Seen[]> {
  const random = randomOf(1_000 + seed);
  const made = await makeJournal(random, terms, nodes);
  return (await toldOf(made, randomPatch(random, made, terms))).wrong;
}

describe.each(await journalStores())('on %s a journal of three nodes', (_, store, { records, seeds }) => {
  describe.each(Object.entries(KINDS))('with %s, replayed with a patch,', (_, kind) => {
    test.each(seeds)(
      'tells for certain only what a second service decides (seed %i)',
      { timeout: JOURNALS_MS },
      async (seed) => {
        const wrong = await wronglyTold(seed, { ...kind, records }, await openShared(store, NODES));
        expect(wrong.slice(0, 5)).toEqual([]);
      },
    );
  });
});

/** Seeds of journals with refunds, two of which once found a wrong verdict. */
const REFUNDS = [5_053, 10_355, ...Array.from({ length: sized(200, 4, 20) }, (_, index) => 5_100 + index)];

test.each(REFUNDS)(
  'a journal with refunds in a hurry is told as decided, with a random patch and with all actions (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const terms = { ...KINDS['refunds'], stepMs: random.pick([100, 1_000, 2_000]), records: 200 };
    const made = await makeJournal(random, terms);
    for (const patch of [randomPatch(random, made, terms), { allowed_actions: ['*'] }])
      expect((await toldOf(made, patch)).wrong).toEqual([]);
  },
);

test.each(FOUND)(
  'a journal with %s that was once told wrongly (seed %i) is told as decided',
  async (kind, seed) => {
    expect(await wronglyTold(seed, { ...KINDS[kind], records: 300 })).toEqual([]);
  },
);
