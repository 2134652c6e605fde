import {
  type Resolution,
  type RollupDelta,
  type RollupKind,
  type RollupSum,
  rollupStarts,
  type SumsPart,
  type SumsQuery,
  turn,
} from '../../../src/ports/index.ts';
import { placeAmong } from './text-order.ts';

/** The starts of a minute, and of its hour and day. All rows whose latest count is in this minute share the object. */
type Starts = ReturnType<typeof rollupStarts>;

interface Count {
  readonly start: string;
  count: number;
}

/**
 * The counts of one key, such as an action. The row has the counts of the latest minute, its hour and its
 * day; 0 means no count. `older` has earlier counts, the oldest first.
 */
interface Row extends Record<Resolution, number> {
  starts: Starts;
  older: Record<Resolution, Count[]> | undefined;
}

const RESOLUTIONS = ['day', 'hour', 'minute'] as const;

type Rows = Record<RollupKind, Map<string, Row> | undefined>;

type Agents = Map<string, Rows>;

export type SumQuery = Omit<SumsQuery, 'parts'> & SumsPart;

export interface Rollups {
  /** Adds all deltas, or none. Throws if a count would leave the safe integers. */
  add(deltas: readonly RollupDelta[]): void;
  sum(query: SumQuery): readonly RollupSum[];
  purge(cutoff: string, limit: number): Promise<number>;
  /**
   * Removes the counts of an account, or of one agent. For an agent, also removes each total of all agents that is not
   * above 0. Such a total remains because the erased records were subtracted from it.
   */
  erase(account_id: string, agent_id: string | undefined): void;
  clear(): void;
}

/**
 * Creates empty rollups. A look-up uses the names first and the time last, because a key is usually counted in the same
 * minute again. One look-up then finds the counts of the minute, the hour and the day.
 */
export function createRollups(): Rollups {
  const allAgents = new Map<string, Agents>();
  let starts = rollupStarts('');

  function createAdder(sign: 1 | -1): (delta: RollupDelta) => boolean {
    let last: RollupDelta | undefined;
    let agents: Agents = new Map();
    let rows = noRows();
    return (delta) => {
      const { account_id, environment, minute, agent_id, kind, key } = delta;
      const isSameAccount = last?.account_id === account_id && last.environment === environment;
      if (starts.minute !== minute) starts = rollupStarts(minute);
      if (!isSameAccount) agents = entryOf(allAgents, accountName(delta), (): Agents => new Map());
      if (!isSameAccount || last?.agent_id !== agent_id) rows = entryOf(agents, agent_id, noRows);
      last = delta;
      rows[kind] ??= new Map();
      const row = entryOf(rows[kind], key, () => newRow(starts));
      return addToRow(row, starts, sign * delta.count);
    };
  }

  function add(deltas: readonly RollupDelta[]): void {
    const addDelta = createAdder(1);
    for (const [index, delta] of deltas.entries()) {
      if (addDelta(delta)) continue;
      // In reverse order, so that every intermediate sum was in range before.
      const takeBack = createAdder(-1);
      for (const addedDelta of deltas.slice(0, index).reverse()) takeBack(addedDelta);
      throw new RangeError(`The count of ${JSON.stringify(delta.key)} would leave the safe integers.`);
    }
  }

  function sum({ agent_id, resolution, from, to, byStart, kinds, ...query }: SumQuery): readonly RollupSum[] {
    const rows = allAgents.get(accountName(query))?.get(agent_id);
    if (rows === undefined) return [];
    return [...new Set(kinds)].flatMap((kind) =>
      [...(rows[kind] ?? [])].flatMap(([key, row]): RollupSum[] => {
        const counts = countsBetween(row, resolution, from, to);
        if (byStart) return counts.map(({ start, count }) => ({ start, kind, key, count }));
        const total = counts.reduce((previous, { count }) => previous + count, 0);
        return counts.length === 0 ? [] : [{ start: null, kind, key, count: total }];
      }),
    );
  }

  function erase(account_id: string, agent_id: string | undefined): void {
    for (const environment of ['live', 'test'] as const) {
      const name = accountName({ account_id, environment });
      const agents = allAgents.get(name);
      if (agent_id === undefined) allAgents.delete(name);
      else {
        agents?.delete(agent_id);
        eraseUncounted(agents?.get('') ?? noRows());
      }
    }
  }

  const purgeOld = (cutoff: string, limit: number): Promise<number> => purge(allAgents, cutoff, limit);
  return { add, sum, purge: purgeOld, erase, clear: () => allAgents.clear() };
}

function addToRow(row: Row, starts: Starts, number: number): boolean {
  if (row.starts !== starts) {
    if (starts.minute < row.starts.minute) return addLate(row, starts, number);
    if (starts.minute > row.starts.minute) beginMinute(row, starts);
  }
  const day = row.day + number;
  const hour = row.hour + number;
  const minute = row.minute + number;
  if (!(Number.isSafeInteger(day) && Number.isSafeInteger(hour) && Number.isSafeInteger(minute)))
    return false;
  row.day = day;
  row.hour = hour;
  row.minute = minute;
  return true;
}

function beginMinute(row: Row, starts: Starts): void {
  for (const resolution of RESOLUTIONS) {
    const start = row.starts[resolution];
    if (start === starts[resolution]) continue;
    if (row[resolution] !== 0) olderOf(row, resolution).push({ start, count: row[resolution] });
    row[resolution] = 0;
  }
  row.starts = starts;
}

function addLate(row: Row, starts: Starts, number: number): boolean {
  const isLatest = (resolution: Resolution) => row.starts[resolution] === starts[resolution];
  const latest = RESOLUTIONS.filter(isLatest);
  const older = RESOLUTIONS.filter((resolution) => !isLatest(resolution)).map((resolution) =>
    olderCount(olderOf(row, resolution), starts[resolution]),
  );
  const sums = [...latest.map((resolution) => row[resolution]), ...older.map(({ count }) => count)];
  if (!sums.every((sum) => Number.isSafeInteger(sum + number))) return false;
  for (const resolution of latest) row[resolution] += number;
  for (const count of older) count.count += number;
  return true;
}

function olderCount(older: Count[], start: string): Count {
  let index = older.length - 1;
  for (let count = older[index]; count !== undefined && count.start >= start; count = older[--index]) {
    if (count.start === start) return count;
  }
  const createdFields = { start, count: 0 };
  older.splice(index + 1, 0, createdFields);
  return createdFields;
}

function olderOf(row: Row, resolution: Resolution): Count[] {
  row.older ??= { day: [], hour: [], minute: [] };
  return row.older[resolution];
}

function countsBetween(row: Row, resolution: Resolution, begin: string, end: string): readonly Count[] {
  const older = row.older?.[resolution] ?? [];
  const placeOf = (start: string): number => placeAmong(older, (count) => (count.start < start ? -1 : 0));
  const latest = { start: row.starts[resolution], count: row[resolution] };
  const counts = [...older.slice(placeOf(begin), placeOf(end)), latest];
  return counts.filter(({ start, count }) => count !== 0 && start >= begin && start < end);
}

function accountName(delta: Pick<RollupDelta, 'account_id' | 'environment'>): string {
  return JSON.stringify([delta.account_id, delta.environment]);
}

function entryOf<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const knownValue = map.get(name);
  if (knownValue !== undefined) return knownValue;
  const createdValue = create();
  map.set(name, createdValue);
  return createdValue;
}

function noRows(): Rows {
  const noRow = undefined;
  const ofVerdicts = { verdict: noRow, agent: noRow, action: noRow, reason: noRow, latency: noRow };
  return { ...ofVerdicts, dropped: noRow, outcome: noRow };
}

function newRow(starts: Starts): Row {
  return { starts, day: 0, hour: 0, minute: 0, older: undefined };
}

/** The number of names after which the loop yields to the event loop. */
const MAX_LOOKED_AT = 5_000;

async function purge(allAgents: Map<string, Agents>, cutoff: string, limit: number): Promise<number> {
  const purgedFields = { removed: 0, looked: 0 };
  for (const [name, agents] of allAgents) {
    for (const [agent_id, rows] of agents) {
      await purgeRows(rows, cutoff, limit, purgedFields);
      if (purgedFields.removed === limit) return limit;
      if (rowsOf(rows).next().done) agents.delete(agent_id);
    }
    if (agents.size === 0) allAgents.delete(name);
  }
  return purgedFields.removed;
}

/** Purges the rows of one agent, until `limit` counts are removed. */
async function purgeRows(
  rows: Rows,
  cutoff: string,
  limit: number,
  purgedFields: { removed: number; looked: number },
): Promise<void> {
  for (const [kind, row, key] of rowsOf(rows)) {
    purgedFields.removed += purgeRow(row, cutoff, limit - purgedFields.removed);
    if (isEmpty(row)) rows[kind]?.delete(key);
    if (purgedFields.removed === limit) return;
    purgedFields.looked += 1;
    if (purgedFields.looked % MAX_LOOKED_AT === 0) await turn();
  }
}

function* rowsOf(rows: Rows): Generator<[kind: RollupKind, row: Row, key: string], undefined> {
  for (const kind of Object.keys(rows) as RollupKind[]) {
    for (const [key, row] of rows[kind] ?? []) yield [kind, row, key];
  }
}

function purgeRow(row: Row, cutoff: string, limit: number): number {
  return RESOLUTIONS.reduce((sum, resolution) => sum + purgeCounts(row, resolution, cutoff, limit - sum), 0);
}

function purgeCounts(row: Row, resolution: Resolution, cutoff: string, limit: number): number {
  const older = row.older?.[resolution] ?? [];
  let end = 0;
  let removedCount = 0;
  for (let count = older[0]; count !== undefined && count.start < cutoff; count = older[end]) {
    if (removedCount === limit) break;
    // A reverted delta leaves a count of 0.
    if (count.count !== 0) removedCount += 1;
    end += 1;
  }
  older.splice(0, end);
  const isLatestOld = row[resolution] !== 0 && row.starts[resolution] < cutoff;
  if (removedCount === limit || !isLatestOld) return removedCount;
  row[resolution] = 0;
  return removedCount + 1;
}

function eraseUncounted(rows: Rows): void {
  for (const [kind, row, key] of rowsOf(rows)) {
    for (const resolution of RESOLUTIONS) {
      row[resolution] = Math.max(row[resolution], 0);
      const older = row.older?.[resolution] ?? [];
      older.splice(0, older.length, ...older.filter(({ count }) => count > 0));
    }
    if (isEmpty(row)) rows[kind]?.delete(key);
  }
}

function isEmpty(row: Row): boolean {
  return RESOLUTIONS.every(
    (resolution) => row[resolution] === 0 && (row.older?.[resolution].length ?? 0) === 0,
  );
}
