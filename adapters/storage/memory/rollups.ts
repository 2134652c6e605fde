import type { RollupDelta, Tally, TallyQuery } from '../../../src/index.ts';

/** How often each key was counted, by the starts of the rollups. */
type Series = Map<string, Map<string, number>>;

/** The rollups of every account. */
export interface Rollups {
  /** Adds all or nothing; throws when a count would leave the safe integers. */
  add(deltas: readonly RollupDelta[]): void;
  tally(query: TallyQuery): readonly Tally[];
  /** Removes at most `limit` counts from before the instant, and gives back their number. */
  purge(before: string, limit: number): number;
  clear(): void;
}

/** No rollups. One series is kept for all that a tally asks for but the time. */
export function createRollups(): Rollups {
  const all = new Map<string, Series>();

  function countsOf(delta: RollupDelta): Map<string, number> {
    const series = entryOf(all, seriesName(delta, delta.kind), () => new Map());
    return entryOf(series, delta.start, () => new Map());
  }

  function add(deltas: readonly RollupDelta[]): void {
    const undo: (() => void)[] = [];
    for (const delta of deltas) {
      const counts = countsOf(delta);
      const before = counts.get(delta.key);
      const after = (before ?? 0) + delta.count;
      if (!Number.isSafeInteger(after)) {
        for (const step of undo.reverse()) step();
        throw new RangeError(`The count of ${JSON.stringify(delta.key)} would leave the safe integers.`);
      }
      undo.push(() => (before === undefined ? counts.delete(delta.key) : counts.set(delta.key, before)));
      counts.set(delta.key, after);
    }
  }

  function tally(query: TallyQuery): readonly Tally[] {
    return [...new Set(query.kinds)].flatMap((kind) => {
      const sums = new Map<string, Tally>();
      for (const [start, counts] of all.get(seriesName(query, kind)) ?? []) {
        if (start < query.from || start >= query.to) continue;
        for (const [key, count] of counts) {
          const name = query.byStart ? JSON.stringify([start, key]) : key;
          const sum = (sums.get(name)?.count ?? 0) + count;
          sums.set(name, { start: query.byStart ? start : null, kind, key, count: sum });
        }
      }
      return [...sums.values()];
    });
  }

  return { add, tally, purge: (before, limit) => purgeSeries(all, before, limit), clear: () => all.clear() };
}

function seriesName(of: Omit<TallyQuery, 'kinds' | 'from' | 'to' | 'byStart'>, kind: string): string {
  return JSON.stringify([of.account_id, of.environment, of.resolution, of.agent_id, kind]);
}

function entryOf<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const known = map.get(name);
  if (known !== undefined) return known;
  const created = create();
  map.set(name, created);
  return created;
}

function purgeSeries(all: Map<string, Series>, before: string, limit: number): number {
  let removed = 0;
  for (const [name, series] of all) {
    for (const [start, counts] of series) {
      if (start >= before) continue;
      for (const key of counts.keys()) {
        if (removed === limit) return removed;
        counts.delete(key);
        removed += 1;
      }
      series.delete(start);
    }
    if (series.size === 0) all.delete(name);
  }
  return removed;
}
