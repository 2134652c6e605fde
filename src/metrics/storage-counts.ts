/** The counts of the events of storages. */
import type { StorageEvent } from '../ports/storage-events.ts';
import { family, histogramFamily } from './exposition.ts';
import { createHistogram } from './histogram.ts';

/** Counts events, and returns them as text. */
export interface StorageCounts {
  readonly count: (event: StorageEvent) => void;
  families(): readonly string[];
}

/** The bounds of the numbers of calls that go together: at most 64 do. */
const TOGETHER: readonly number[] = [1, 2, 4, 8, 16, 32, 64];

/** Makes counts without an event. */
export function createStorageCounts(): StorageCounts {
  const joined = { get: createHistogram(TOGETHER), write: createHistogram(TOGETHER) };
  let primaryChanges = 0;
  let unconfirmed = 0;
  return {
    count(event) {
      if (event.type === 'primary_changed') primaryChanges += 1;
      else if (event.type === 'unconfirmed') unconfirmed += 1;
      else if (event.type === 'joined') joined[event.kind].observe(event.count);
    },
    families: () => [
      family(
        'agent_identity_storage_primary_changes_total',
        { type: 'counter', help: 'Changes to another server of the storage, or to one that has restarted.' },
        [[{}, primaryChanges]],
      ),
      family(
        'agent_identity_storage_unconfirmed_total',
        { type: 'counter', help: 'Calls that rejected because too few replicas had their write.' },
        [[{}, unconfirmed]],
      ),
      histogramFamily(
        'agent_identity_storage_joined',
        'Calls that had waited and went to the store together.',
        Object.entries(joined).map(([kind, histogram]) => [{ kind }, histogram] as const),
      ),
    ],
  };
}
