import {
  type Resolution,
  type RollupDelta,
  type RollupKind,
  rollupStarts,
  type Tally,
  type TallyQuery,
} from '../../../src/index.ts';

/** How often a key was counted in one minute, hour or day. */
interface Count {
  start: string;
  count: number;
}

/** The latest count of a key in one resolution, and those before it, oldest first. */
interface Counts extends Count {
  older: Count[] | undefined;
}

/** The counts of one key. */
type Row = Readonly<Record<Resolution, Counts>>;

/** The rows of one agent, by kind, then by key. */
type Rows = Record<RollupKind, Map<string, Row> | undefined>;

/** The rollups of an account and an environment, by agent. */
type Agents = Map<string, Rows>;

/** The rollups of every account. */
export interface Rollups {
  /** Adds all or nothing; throws when a count would leave the safe integers. */
  add(deltas: readonly RollupDelta[]): void;
  tally(query: TallyQuery): readonly Tally[];
  /** Removes at most `limit` counts from before the instant, and gives back their number. */
  purge(before: string, limit: number): number;
  clear(): void;
}

/**
 * No rollups. The time comes last: what is counted in a minute is counted in its hour and its day as well, and was
 * in the minute before, so that one look-up by name serves them all.
 */
export function createRollups(): Rollups {
  const all = new Map<string, Agents>();

  /** A function that finds the three counts of a delta: fast for one that has its names from the last. */
  function createFinder(): (delta: RollupDelta) => readonly Count[] {
    let last: RollupDelta | undefined;
    let starts = rollupStarts('');
    let agents: Agents = new Map();
    let rows = noRows();
    return (delta) => {
      const { account_id, environment, minute, agent_id, kind, key } = delta;
      const isSameAccount = last?.account_id === account_id && last.environment === environment;
      if (last?.minute !== minute) starts = rollupStarts(minute);
      if (!isSameAccount) agents = entryOf(all, accountName(delta), (): Agents => new Map());
      if (!isSameAccount || last?.agent_id !== agent_id) rows = entryOf(agents, agent_id, noRows);
      last = delta;
      rows[kind] ??= new Map();
      const { day, hour, minute: finest } = entryOf(rows[kind], key, noRow);
      return [countAt(day, starts.day), countAt(hour, starts.hour), countAt(finest, starts.minute)];
    };
  }

  function add(deltas: readonly RollupDelta[]): void {
    const countsOf = createFinder();
    let done = 0;
    for (const delta of deltas) {
      const counts = countsOf(delta);
      if (!counts.every(({ count }) => Number.isSafeInteger(count + delta.count))) {
        takeBack(deltas.slice(0, done));
        throw new RangeError(`The count of ${JSON.stringify(delta.key)} would leave the safe integers.`);
      }
      for (const count of counts) count.count += delta.count;
      done += 1;
    }
  }

  /** The last first: each sum on the way back was one on the way here. */
  function takeBack(added: readonly RollupDelta[]): void {
    const countsOf = createFinder();
    for (const delta of added.toReversed()) {
      for (const count of countsOf(delta)) count.count -= delta.count;
    }
  }

  function tally({ agent_id, resolution, from, to, byStart, kinds, ...of }: TallyQuery): readonly Tally[] {
    const rows = all.get(accountName(of))?.get(agent_id);
    if (rows === undefined) return [];
    return [...new Set(kinds)].flatMap((kind) =>
      [...(rows[kind] ?? [])].flatMap(([key, row]): Tally[] => {
        // What was taken back is 0.
        const found = allOf(row[resolution]).filter(
          ({ start, count }) => count !== 0 && start >= from && start < to,
        );
        if (byStart) return found.map(({ start, count }) => ({ start, kind, key, count }));
        const sum = found.reduce((total, { count }) => total + count, 0);
        return found.length === 0 ? [] : [{ start: null, kind, key, count: sum }];
      }),
    );
  }

  return { add, tally, purge: (before, limit) => purge(all, before, limit), clear: () => all.clear() };
}

/** The count of a start, made when missing; nearly always the latest is asked for. */
function countAt(latest: Counts, start: string): Count {
  if (latest.start === start) return latest;
  if (latest.start < start) {
    if (latest.start !== '') olderOf(latest).push({ start: latest.start, count: latest.count });
    latest.start = start;
    latest.count = 0;
    return latest;
  }
  const older = olderOf(latest);
  let at = older.length - 1;
  for (let count = older[at]; count !== undefined && count.start >= start; count = older[--at]) {
    if (count.start === start) return count;
  }
  const created = { start, count: 0 };
  older.splice(at + 1, 0, created);
  return created;
}

function olderOf(latest: Counts): Count[] {
  latest.older ??= [];
  return latest.older;
}

function allOf(latest: Counts): readonly Count[] {
  return latest.older === undefined ? [latest] : [...latest.older, latest];
}

function accountName(of: Pick<RollupDelta, 'account_id' | 'environment'>): string {
  return JSON.stringify([of.account_id, of.environment]);
}

function entryOf<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const known = map.get(name);
  if (known !== undefined) return known;
  const created = create();
  map.set(name, created);
  return created;
}

function noRows(): Rows {
  const none = undefined;
  return { verdict: none, agent: none, action: none, reason: none, latency: none, dropped: none };
}

function noRow(): Row {
  return { day: noCounts(), hour: noCounts(), minute: noCounts() };
}

function noCounts(): Counts {
  return { start: '', count: 0, older: undefined };
}

/** Names without counts go with the last of them. */
function purge(all: Map<string, Agents>, before: string, limit: number): number {
  let removed = 0;
  for (const [name, agents] of all) {
    for (const [agent_id, rows] of agents) {
      for (const [kind, row, key] of rowsOf(rows)) {
        removed += purgeRow(row, before, limit - removed);
        if (isEmpty(row)) rows[kind]?.delete(key);
        if (removed === limit) return removed;
      }
      if (rowsOf(rows).next().done) agents.delete(agent_id);
    }
    if (agents.size === 0) all.delete(name);
  }
  return removed;
}

function* rowsOf(rows: Rows): Generator<[kind: RollupKind, row: Row, key: string], undefined> {
  for (const kind of Object.keys(rows) as RollupKind[]) {
    for (const [key, row] of rows[kind] ?? []) yield [kind, row, key];
  }
}

function purgeRow(row: Row, before: string, limit: number): number {
  return Object.values(row).reduce((sum, counts) => sum + purgeCounts(counts, before, limit - sum), 0);
}

function purgeCounts(latest: Counts, before: string, limit: number): number {
  const { older = [] } = latest;
  let old = 0;
  while (old < limit && (older[old]?.start ?? before) < before) old += 1;
  older.splice(0, old);
  const isLast = older.length === 0 && latest.start !== '' && latest.start < before;
  if (!isLast || old === limit) return old;
  latest.start = '';
  latest.count = 0;
  return old + 1;
}

function isEmpty(row: Row): boolean {
  return Object.values(row).every(({ start }) => start === '');
}
