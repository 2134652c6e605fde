import type { RollupDelta, RollupKind, Tally, TallyQuery } from '../../../src/index.ts';

/** How often each key was counted, by kind: what is known of one agent and start. */
type Rollup = Record<RollupKind, Map<string, number> | undefined>;

/** The rollups of an account, an environment and a resolution: by their starts, then by agent. */
type Series = Map<string, Map<string, Rollup>>;

/** The rollups of every account. */
export interface Rollups {
  /** Adds all or nothing; throws when a count would leave the safe integers. */
  add(deltas: readonly RollupDelta[]): void;
  tally(query: TallyQuery): readonly Tally[];
  /** Removes at most `limit` counts from before the instant, and gives back their number. */
  purge(before: string, limit: number): number;
  clear(): void;
}

/** No rollups. */
export function createRollups(): Rollups {
  const all = new Map<string, Series>();

  /** A function that finds the counts of a delta: fast for one that differs from the last in kind only. */
  function createFinder(): (delta: RollupDelta) => Map<string, number> {
    let last: RollupDelta | undefined;
    let agents = new Map<string, Rollup>();
    let rollup = noRollup();
    return (delta) => {
      const isSame = last !== undefined && sharesStart(last, delta);
      if (!isSame) {
        const series = entryOf(all, seriesName(delta), (): Series => new Map());
        agents = entryOf(series, delta.start, () => new Map());
      }
      if (!isSame || last?.agent_id !== delta.agent_id) rollup = entryOf(agents, delta.agent_id, noRollup);
      last = delta;
      const counts = rollup[delta.kind] ?? new Map<string, number>();
      rollup[delta.kind] = counts;
      return counts;
    };
  }

  function add(deltas: readonly RollupDelta[]): void {
    const countsOf = createFinder();
    let done = 0;
    for (const delta of deltas) {
      const counts = countsOf(delta);
      const sum = (counts.get(delta.key) ?? 0) + delta.count;
      if (!Number.isSafeInteger(sum)) {
        takeBack(deltas.slice(0, done));
        throw new RangeError(`The count of ${JSON.stringify(delta.key)} would leave the safe integers.`);
      }
      counts.set(delta.key, sum);
      done += 1;
    }
  }

  /** The last first: each sum on the way back was one on the way here. */
  function takeBack(added: readonly RollupDelta[]): void {
    const countsOf = createFinder();
    for (const delta of added.toReversed()) {
      const counts = countsOf(delta);
      const rest = (counts.get(delta.key) ?? 0) - delta.count;
      if (rest === 0) counts.delete(delta.key);
      else counts.set(delta.key, rest);
    }
  }

  function tally({ agent_id, from, to, byStart, kinds, ...of }: TallyQuery): readonly Tally[] {
    const found: [start: string, rollup: Rollup][] = [];
    for (const [start, agents] of all.get(seriesName(of)) ?? []) {
      const rollup = start >= from && start < to ? agents.get(agent_id) : undefined;
      if (rollup !== undefined) found.push([start, rollup]);
    }
    const asked = new Set(kinds);
    if (byStart) return found.flatMap(([start, rollup]) => sum(start, [rollup], asked));
    const rollups = found.map(([, rollup]) => rollup);
    return sum(null, rollups, asked);
  }

  return { add, tally, purge: (before, limit) => purgeSeries(all, before, limit), clear: () => all.clear() };
}

function sharesStart(a: RollupDelta, b: RollupDelta): boolean {
  return (
    a.start === b.start &&
    a.resolution === b.resolution &&
    a.environment === b.environment &&
    a.account_id === b.account_id
  );
}

function seriesName(of: Pick<RollupDelta, 'account_id' | 'environment' | 'resolution'>): string {
  return JSON.stringify([of.account_id, of.environment, of.resolution]);
}

function entryOf<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const known = map.get(name);
  if (known !== undefined) return known;
  const created = create();
  map.set(name, created);
  return created;
}

function noRollup(): Rollup {
  const none = undefined;
  return { verdict: none, agent: none, action: none, reason: none, latency: none, dropped: none };
}

/** What the rollups say of each kind, added up. */
function sum(start: string | null, rollups: readonly Rollup[], kinds: ReadonlySet<RollupKind>): Tally[] {
  return [...kinds].flatMap((kind) => {
    const sums = new Map<string, number>();
    for (const rollup of rollups) {
      for (const [key, count] of rollup[kind] ?? []) sums.set(key, (sums.get(key) ?? 0) + count);
    }
    return [...sums].map(([key, count]) => ({ start, kind, key, count }));
  });
}

function purgeSeries(all: Map<string, Series>, before: string, limit: number): number {
  let removed = 0;
  for (const [name, series] of all) {
    for (const [start, agents] of series) {
      if (start >= before) continue;
      for (const [agent_id, rollup] of agents) {
        for (const counts of Object.values(rollup)) {
          if (counts === undefined) continue;
          for (const key of counts.keys()) {
            if (removed === limit) return removed;
            counts.delete(key);
            removed += 1;
          }
        }
        agents.delete(agent_id);
      }
      series.delete(start);
    }
    if (series.size === 0) all.delete(name);
  }
  return removed;
}
