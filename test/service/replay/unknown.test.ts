import { expect, test } from 'vitest';
import { KINDS, randomPatch } from './changes.ts';
import { makeJournal } from './journal.ts';
import { randomOf } from './random.ts';
import { replayed } from './replayed.ts';

const SEEDS = 60;
const RECORDS = 300;

test.each(['budgets', 'budgets in a hurry', 'holds'])(
  'of %s at most 5 % cannot be told under a random change',
  async (name) => {
    const sums = { judged: 0, unknown: 0 };
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const random = randomOf(1_000 + seed);
      const terms = { ...KINDS[name], records: RECORDS };
      const made = await makeJournal(random, terms);
      const patch = randomPatch(random, made, terms);
      const { answer } = await replayed(made, 'did:web:shop.example:agents:root', { patch });
      sums.judged += answer.judged;
      for (const count of Object.values(answer.unknown)) sums.unknown += count;
    }
    expect(sums.judged).toBeGreaterThan(SEEDS * RECORDS * 0.9);
    expect(sums.unknown / sums.judged).toBeLessThanOrEqual(0.05);
  },
  60_000,
);
