import type { Page, RecordedVerdict, VerdictRecord } from '../../../../src/types.ts';
import { call, queryOf } from './api.ts';
import { href } from './route.ts';

/** A record in the list. A record from the stream has no outcome, because it is new. */
export type ShownVerdict = VerdictRecord & Partial<RecordedVerdict>;

/** Identifies a record by its id and its instant, which the journal needs to find it. */
export type RecordName = Pick<VerdictRecord, 'decision_id' | 'evaluated_at'>;

export function recordQuery({ decision_id, evaluated_at }: RecordName): Readonly<Record<string, string>> {
  return { record: decision_id, at: evaluated_at };
}

export function recordHref(name: RecordName, others: Readonly<Record<string, string>> = {}): string {
  return href(['verdicts'], { ...others, ...recordQuery(name) });
}

/** The time to wait for a record. A verdict is stored within a second after its answer. */
const FILED_MS = 10_000;
const PAUSE_MS = 500;

/** Finds a record; returns `undefined` if the journal does not have it. Waits for a new record to be stored. */
export async function findRecord(
  { decision_id, evaluated_at }: RecordName,
  signal: AbortSignal,
): Promise<ShownVerdict | undefined> {
  const ms = Date.parse(evaluated_at);
  if (Number.isNaN(ms)) return undefined;
  const range = { from: new Date(ms).toISOString(), to: new Date(ms + 1).toISOString(), limit: 100 };
  for (;;) {
    let cursor: string | undefined;
    do {
      const path = `/verifications${queryOf({ ...range, cursor })}`;
      const page: Page<ShownVerdict> = await call('GET', path, { signal });
      const found = page.data.find((record) => record.decision_id === decision_id);
      if (found !== undefined) return found;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    if (Date.now() > ms + FILED_MS) return undefined;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
