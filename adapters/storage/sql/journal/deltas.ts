/** The deltas of a merge in parts, each of which is added to the rollups by a transaction. */
import { setImmediate } from 'node:timers/promises';
import type { RollupDelta } from '../../../../src/ports/index.ts';
import { recordWriter } from '../rows.ts';
import { rollupsTable } from '../tables.ts';

/** A delta, as it is kept until it is in the rollups. */
export type DeltaRow = readonly [
  minute: string,
  account_id: string,
  environment: string,
  agent_id: string,
  kind: string,
  key: string,
  count: number,
];

/** Some deltas, with the lowest and the highest `rangeKey` among them by code units. */
export interface DeltaPart {
  readonly from_key: string;
  readonly to_key: string;
  readonly rows: readonly DeltaRow[];
}

const { resolution: _resolution, start: _start, ...others } = rollupsTable.columns;

const toValues = recordWriter({ name: rollupsTable.name, columns: { minute: 'text', ...others } });

/**
 * The deltas in their order, so many to a part; the event loop has its turn in between. Rejects with a TypeError for
 * what the table cannot hold.
 */
export async function toParts(deltas: readonly RollupDelta[], size: number): Promise<readonly DeltaPart[]> {
  const parts: DeltaPart[] = [];
  for (let at = 0; at < deltas.length; at += size) {
    if (at > 0) await setImmediate();
    const rows = deltas.slice(at, at + size).map(toRow);
    const keys = rows.map(([, account, environment, agent]) => rangeKey(account, environment, agent)).sort();
    parts.push({ from_key: keys[0] ?? '', to_key: keys.at(-1) ?? '', rows });
  }
  return parts;
}

function toRow(delta: RollupDelta): DeltaRow {
  const names = toValues(delta).slice(0, -1);
  return [...names, delta.count] as unknown as DeltaRow;
}

/** What stands in the range of a part for an account, an environment and an agent. */
export function rangeKey(account_id: string, environment: string, agent_id: string): string {
  return JSON.stringify([account_id, environment, agent_id]);
}
