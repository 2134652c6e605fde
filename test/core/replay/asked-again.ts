/** A second service that is asked again, with the passport as a patch makes it: what a replay has to tell. */
import { onTestFinished } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createIdentityService } from '../../../src/core.ts';
import type { PassportPatch } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import type { MadeJournal } from './journal.ts';
import { replayed, type Seen } from './replayed.ts';

const ROOT = 'did:web:shop.example:agents:root';

/** Whether each record is allowed when a second service is asked again, with the passport as the patch makes it. */
async function askedAgain(
  { passports, steps }: MadeJournal,
  patch: PassportPatch,
): Promise<ReadonlyMap<string, boolean>> {
  let at = steps[0]?.at ?? 0;
  let passed = 0;
  const clock = { now: () => at, monotonic: () => passed };
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    clock,
    log: () => undefined,
  });
  onTestFinished(() => service.close());
  for (const input of passports) await service.passports.create(input);
  await service.passports.update(ROOT, patch);
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

/** Replays with a patch; returns what it tells, and the records of which it tells another verdict than the second service. */
export async function toldOf(
  made: MadeJournal,
  patch: PassportPatch,
): Promise<{ readonly seen: readonly Seen[]; readonly wrong: readonly Seen[] }> {
  const { seen } = await replayed(made, ROOT, { patch });
  const allowed = await askedAgain(made, patch);
  const wrong = seen.filter(
    ({ verdict, decision_id }) => verdict !== null && (verdict === 'ALLOW') !== allowed.get(decision_id),
  );
  return { seen, wrong };
}
