/** Counts the dropped records of one account. */
import { RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import type { BlockView, Drop } from '../../../journal-format/index.ts';

export interface DropCounts {
  isEmpty(): boolean;
  add(drop: Drop): void;
  take(): readonly Drop[];
}

/**
 * Creates empty counts. Each hour and environment has one count, at the time of its latest drop. A long outage thus
 * does not fill the memory.
 */
export function createDropCounts(): DropCounts {
  let counts = new Map<string, Drop>();
  return {
    isEmpty: () => counts.size === 0,
    add(drop) {
      const name = `${drop.environment} ${Math.floor(drop.at_ms / RESOLUTION_MS.hour)}`;
      const knownDrop = counts.get(name) ?? { ...drop, count: 0 };
      const at_ms = Math.max(knownDrop.at_ms, drop.at_ms);
      counts.set(name, { ...drop, at_ms, count: knownDrop.count + drop.count });
    },
    take() {
      const takenDrops = [...counts.values()];
      counts = new Map();
      return takenDrops;
    },
  };
}

/** Returns the drops that the loss of a block causes: its own records, and the drops that it lists. */
export function dropsOf(view: BlockView): readonly Drop[] {
  const counts = createDropCounts();
  for (const drop of view.drops) counts.add(drop);
  const { numbers, values } = view.contexts;
  for (let place = 0; place < view.length; place += 1) {
    const environment = values[numbers[place] as number]?.environment ?? 'live';
    counts.add({ at_ms: view.times[place] as number, environment, count: 1 });
  }
  return counts.take();
}
