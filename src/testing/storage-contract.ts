import type { StorageAdapter } from '../ports/storage.ts';
import type { Claim, ContractCase } from './storage-contract/case.ts';
import { changes } from './storage-contract/changes.ts';
import { clocks } from './storage-contract/clocks.ts';
import { concurrency } from './storage-contract/concurrency.ts';
import { counters } from './storage-contract/counters.ts';
import { dueLists } from './storage-contract/due-lists.ts';
import { expiredLists } from './storage-contract/expired-lists.ts';
import { forgetting } from './storage-contract/forgetting.ts';
import { blockLists } from './storage-contract/journal/block-lists.ts';
import { blockRetention } from './storage-contract/journal/block-retention.ts';
import { compaction } from './storage-contract/journal/compaction.ts';
import { erasing } from './storage-contract/journal/erasing.ts';
import { filedLists } from './storage-contract/journal/filed-lists.ts';
import { filing } from './storage-contract/journal/filing.ts';
import { loading } from './storage-contract/journal/loading.ts';
import { merging } from './storage-contract/journal/merging.ts';
import { filteredNames } from './storage-contract/journal/names.ts';
import { oneMoment } from './storage-contract/journal/one-moment.ts';
import { singleCompaction } from './storage-contract/journal/single-compaction.ts';
import { sums } from './storage-contract/journal/sums.ts';
import { textErasing } from './storage-contract/journal/text-erasing.ts';
import { writers } from './storage-contract/journal/writers.ts';
import { lifecycle } from './storage-contract/lifecycle.ts';
import { lists } from './storage-contract/lists.ts';
import { passportCounts } from './storage-contract/passport-counts.ts';
import { removals } from './storage-contract/removals.ts';
import { retention } from './storage-contract/retention.ts';
import { roundTrips } from './storage-contract/round-trips.ts';
import { writeAnswers } from './storage-contract/write-answers.ts';
import { writes } from './storage-contract/writes.ts';

export type { ContractCase } from './storage-contract/case.ts';

const claims: readonly Claim[] = [
  ...roundTrips,
  ...writes,
  ...writeAnswers,
  ...removals,
  ...concurrency,
  ...counters,
  ...forgetting,
  ...lists,
  ...expiredLists,
  ...dueLists,
  ...passportCounts,
  ...writers,
  ...filing,
  ...blockLists,
  ...filteredNames,
  ...loading,
  ...filedLists,
  ...merging,
  ...sums,
  ...oneMoment,
  ...compaction,
  ...singleCompaction,
  ...textErasing,
  ...erasing,
  ...blockRetention,
  ...retention,
  ...clocks,
  ...changes,
  ...lifecycle,
];

/**
 * Returns the claims that every storage adapter must fulfil. Each claim has a unique name, and a function `run` that
 * rejects if the storage does not fulfil the claim. `open` returns a new, empty storage for each claim. The claim
 * closes this storage. You cannot leave out a claim.
 *
 * for (const { name, run } of storageContract(async () => memoryStorage())) test(name, run);
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
