/** The stores on which random journals are made and replayed, and how long those are. */
import { nightly, sized, waysToTry } from '../../support/runs.ts';
import { namedStores, type SharedStore } from '../../support/stores.ts';

/** The nodes of a journal. */
export const NODES = 3;
/** The most milliseconds that one journal takes. */
export const JOURNALS_MS: number = nightly(3_600_000, 120_000);

/** The length of each journal, and the seeds that it is made from. */
export interface JournalSizes {
  readonly records: number;
  readonly seeds: readonly number[];
}

/** Sizes for five kinds of journals: by night 1,000,000 records on each store, in CI 100,000 in memory. */
function sizesOf(store: string): JournalSizes {
  const inMemory = store === 'memory';
  const seeds = nightly(10, inMemory ? sized(2, 1, 2) : 1);
  return {
    records: nightly(20_000, inMemory ? sized(10_000, 200, 600) : 300),
    seeds: Array.from({ length: seeds }, (_, seed) => seed),
  };
}

/** A store with its name, and the sizes of its journals. */
export type JournalStore = readonly [name: string, store: SharedStore, sizes: JournalSizes];

/** Returns the stores, for the file that asks: at the desk only that in memory. */
export async function journalStores(): Promise<readonly JournalStore[]> {
  const stores = waysToTry(Object.fromEntries(await namedStores()), 1, 'replays');
  return stores.map(([name, store]) => [name, store, sizesOf(name)]);
}
