import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { PassportPatch } from '../../../src/records.ts';
import { createIdentityService } from '../../../src/service.ts';
import { nightly } from '../../support/runs.ts';
import { KINDS, randomPatch } from './changes.ts';
import { type MadeJournal, makeJournal } from './journal.ts';
import { randomOf } from './random.ts';
import { replayed, type Seen } from './replayed.ts';

const RECORDS = nightly(20_000, 300);
const SEEDS = nightly(50, 2);
/** Seeds that once found a wrong verdict. */
const FOUND: Readonly<Record<string, readonly number[]>> = { holds: [6], refunds: [11, 62] };

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

describe.each(Object.entries(KINDS))('a journal of %s, replayed with a patch', (name, kind) => {
  test.each([...Array.from({ length: SEEDS }, (_, seed) => seed), ...(FOUND[name] ?? [])])(
    'tells for certain only what a second service decides (seed %i)',
    async (seed) => {
      const random = randomOf(1_000 + seed);
      const terms = { ...kind, records: RECORDS };
      const made = await makeJournal(random, terms);
      const patch = randomPatch(random, made, terms);
      const { seen } = await replayed(made, 'did:web:shop.example:agents:root', { patch });
      const allowed = await askedAgain(made, patch);
      const wrong = seen.filter(
        ({ verdict, decision_id }: Seen) =>
          verdict !== null && (verdict === 'ALLOW') !== allowed.get(decision_id),
      );
      expect(wrong.slice(0, 5)).toEqual([]);
    },
    120_000,
  );
});
