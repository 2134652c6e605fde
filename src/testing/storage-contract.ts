import type { StorageAdapter } from '../ports/storage.ts';
import { appends } from './storage-contract/appends.ts';
import type { Claim, ContractCase } from './storage-contract/case.ts';
import { changes } from './storage-contract/changes.ts';
import { clocks } from './storage-contract/clocks.ts';
import { concurrency } from './storage-contract/concurrency.ts';
import { counters } from './storage-contract/counters.ts';
import { expiredLists } from './storage-contract/expired-lists.ts';
import { lifecycle } from './storage-contract/lifecycle.ts';
import { lists } from './storage-contract/lists.ts';
import { passportCounts } from './storage-contract/passport-counts.ts';
import { journalReads } from './storage-contract/reads.ts';
import { removals } from './storage-contract/removals.ts';
import { retention } from './storage-contract/retention.ts';
import { roundTrips } from './storage-contract/round-trips.ts';
import { sharedTexts } from './storage-contract/shared-texts.ts';
import { journalTallies } from './storage-contract/tallies.ts';
import { writes } from './storage-contract/writes.ts';

export type { ContractCase } from './storage-contract/case.ts';

const claims: readonly Claim[] = [
  ...roundTrips,
  ...writes,
  ...removals,
  ...concurrency,
  ...counters,
  ...lists,
  ...expiredLists,
  ...passportCounts,
  ...appends,
  ...journalReads,
  ...journalTallies,
  ...retention,
  ...clocks,
  ...sharedTexts,
  ...changes,
  ...lifecycle,
];

/**
 * The claims every storage adapter has to fulfil, each with a unique name and a `run` that rejects when it does
 * not hold. `open` gives a ready storage that is empty, a new one for every case; the case closes it. There is
 * no opting out.
 *
 *     for (const { name, run } of storageContract(async () => memoryStorage())) test(name, run);
 */
export function storageContract(open: () => Promise<StorageAdapter>): readonly ContractCase[] {
  return claims.map(([name, prove]) => ({
    name,
    async run() {
      const storage = await open();
      try {
        await prove(storage);
      } finally {
        await storage.close();
      }
    },
  }));
}
