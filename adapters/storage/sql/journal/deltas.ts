/** Divides the deltas of a merge into parts. Separate transactions add the parts to the rollups. */
import { setImmediate } from 'node:timers/promises';
import type { RollupDelta } from '../../../../src/ports/index.ts';
import { isSqlText } from '../rows.ts';
import { rollupsTable } from '../tables.ts';

/** A delta as a tuple. It is stored as JSON until it is added to the rollups. */
export type DeltaRow = readonly [
  minute: string,
  account_id: string,
  environment: string,
  agent_id: string,
  kind: string,
  key: string,
  count: number,
];

/** A part of the deltas, with its lowest and highest `rangeKey` in the order of code units. */
export interface DeltaPart {
  readonly from_key: string;
  readonly to_key: string;
  readonly rows: readonly DeltaRow[];
}

/** Copies the deltas, because the caller may change them. */
export function toDeltaRows(deltas: readonly RollupDelta[]): readonly DeltaRow[] {
  return deltas.map(({ minute, account_id, environment, agent_id, kind, key, count }) => [
    minute,
    account_id,
    environment,
    agent_id,
    kind,
    key,
    count,
  ]);
}

export async function toParts(rows: readonly DeltaRow[], size: number): Promise<readonly DeltaPart[]> {
  const parts: DeltaPart[] = [];
  for (let start = 0; start < rows.length; start += size) {
    if (start > 0) await setImmediate();
    const someRows = rows.slice(start, start + size);
    for (const row of someRows) assertFits(row);
    const keys = someRows
      .map(([, account, environment, agent]) => rangeKey(account, environment, agent))
      .sort();
    parts.push({ from_key: keys[0] ?? '', to_key: keys.at(-1) ?? '', rows: someRows });
  }
  return parts;
}

export function rangeKey(account_id: string, environment: string, agent_id: string): string {
  return JSON.stringify([account_id, environment, agent_id]);
}

function assertFits(row: DeltaRow): void {
  for (const value of row) {
    const fits = typeof value === 'string' ? isSqlText(value) : Number.isSafeInteger(value);
    if (!fits) throw new TypeError(`${rollupsTable.name} cannot hold ${JSON.stringify(value)}.`);
  }
}
