import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { PassportPatch } from '../../../src/records.ts';
import { createIdentityService } from '../../../src/service.ts';
import { openShared } from '../../support/stores.ts';
import { KINDS, randomPatch } from './changes.ts';
import { type JournalTerms, type MadeJournal, makeJournal } from './journal.ts';
import { JOURNALS_MS, journalStores, NODES } from './journal-stores.ts';
import { randomOf } from './random.ts';
import { replayed, type Seen } from './replayed.ts';

/** Seeds of short journals of two nodes that once found a wrong verdict. */
const FOUND = [
  ['holds', 6],
  ['refunds', 11],
  ['refunds', 62],
] as const;

/** Whether each record is allowed when a second service is asked again, with the passport as the patch makes it. */
async function askedAgain(
  { passports, steps }: MadeJournal,
  patch: PassportPatch,
): Promise<ReadonlyMap<string, boolean>> {
  let at = steps[0]?.at ?? 0;
  let passed = 0;
  const clock = { now: () => at, monotonic: () => passed };
  const service = createIdentityService({ storage: memoryStorage(), clock, log: () => undefined });
  onTestFinished(() => service.close());
  for (const input of passports) await service.passports.create(input);
  await service.passports.update('did:web:shop.example:agents:root', patch);
  const allowed = new Map<string, boolean>();
  const ids = new Map<string, string>();
  for (const step of steps) {
    at = step.at;
    passed = Math.max(passed, at);
    if (step.step === 'ask') {
      const { verdict, decision_id } = await service.verify(step.intent);
      ids.set(step.decision_id, decision_id);
      allowed.set(step.decision_id, verdict === 'ALLOW');
    } else {
      const id = ids.get(step.decision_id) ?? '';
      const input = step.amount === undefined ? {} : { amount: step.amount };
      // What was denied now, or was settled, takes no settlement.
      await service.spends[step.step](id, input).catch(() => undefined);
    }
  }
  return allowed;
}

/** Returns the records of which a replay of a random journal, with a random patch, tells another verdict for certain. */
async function wronglyTold(
  seed: number,
  terms: JournalTerms,
  nodes?: readonly StorageAdapter[],
): Promise<readonly Seen[]> {
  const random = randomOf(1_000 + seed);
  const made = await makeJournal(random, terms, nodes);
  const patch = randomPatch(random, made, terms);
  const { seen } = await replayed(made, 'did:web:shop.example:agents:root', { patch });
  const allowed = await askedAgain(made, patch);
  return seen.filter(
    ({ verdict, decision_id }) => verdict !== null && (verdict === 'ALLOW') !== allowed.get(decision_id),
  );
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

test.each(FOUND)(
  'a journal with %s that was once told wrongly (seed %i) is told as decided',
  async (kind, seed) => {
    expect(await wronglyTold(seed, { ...KINDS[kind], records: 300 })).toEqual([]);
  },
);
