/** Records of one account that found no place: counted, never silent. */
import { RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import type { BlockView, Drop } from '../../../blocks/index.ts';

/** The drops of an account that no block has recorded yet. */
export interface DropCounts {
  readonly isEmpty: boolean;
  add(drop: Drop): void;
  /** All of them; it begins at 0 again. */
  take(): readonly Drop[];
}

/** No drops. One count an hour and environment, at its latest drop: an outage of days must not fill the memory. */
export function createDropCounts(): DropCounts {
  let counts = new Map<string, Drop>();
  return {
    get isEmpty() {
      return counts.size === 0;
    },
    add(drop) {
      const name = `${drop.environment} ${Math.floor(drop.at_ms / RESOLUTION_MS.hour)}`;
      const known = counts.get(name) ?? { ...drop, count: 0 };
      const at_ms = Math.max(known.at_ms, drop.at_ms);
      counts.set(name, { ...drop, at_ms, count: known.count + drop.count });
    },
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
  };
}

/** What is lost when a block itself is dropped: its records, and the drops in it. */
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
