/** Says whether the sums of a storage equal the sums of its records. */
import { expect } from 'vitest';
import { createSums } from '../../src/analytics/sums.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { recordsIn } from './journal.ts';

const ALWAYS = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

/** Every resolution and every kind counts exactly the records of the account, which are given back. */
export async function expectSumsAgree(
  storage: StorageAdapter,
  account_id: string,
  agent: string,
): Promise<readonly VerdictRecord[]> {
  const ask = createSums(storage, (_, read) => read());
  const entries = await recordsIn(storage, account_id);
  const expected = {
    verdict: countBy(entries.map(({ verdict }) => verdict)),
    action: countBy(entries.map(({ action }) => action)),
    reason: countBy(entries.flatMap(({ reasons }) => reasons.map(({ code }) => code))),
  };
  for (const resolution of ['minute', 'hour', 'day'] as const) {
    for (const agent_id of ['', agent]) {
      for (const kind of ['verdict', 'action', 'reason'] as const) {
        const parts = [{ resolution, kinds: [kind], byStart: false, ...ALWAYS }];
        const sums = await ask({ account_id, environment: 'live', agent_id, parts });
        const counted: Record<string, number> = {};
        for (const { key, count } of sums.flat()) counted[key] = (counted[key] ?? 0) + count;
        const of = { resolution, agent_id, kind };
        expect({ ...of, counted }).toEqual({ ...of, counted: expected[kind] });
      }
    }
  }
  return entries;
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
