/** Of which writes storages tell, and what. */
import type { Change, ChangeNotice } from './storage.ts';
import type { CollectionName } from './stored-records.ts';

/** The collections whose records a service keeps in memory for a moment: `subscribe` tells of these. */
export const WATCHED_COLLECTIONS: readonly CollectionName[] = ['accounts', 'keys', 'passports'];

/** What `subscribe` tells of these changes once they are stored. */
export function noticesOf(changes: readonly Change[]): readonly ChangeNotice[] {
  return changes.flatMap((change) => {
    if (change.op === 'add' || !WATCHED_COLLECTIONS.includes(change.collection)) return [];
    const { collection } = change;
    if (change.op === 'remove') return [{ collection, id: change.id, version: change.version + 1 }];
    const { id, version } = change.record;
    return [{ collection, id, version }];
  });
}
