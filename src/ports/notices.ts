/** Creates the notices that storages send about writes. */
import type { Change, ChangeNotice } from './storage.ts';
import { COLLECTION_NAMES, type CollectionName, collections } from './stored-records.ts';

/** The collections of records that a service caches. `subscribe` sends notices about these collections. */
export const WATCHED_COLLECTIONS: readonly CollectionName[] = COLLECTION_NAMES.filter(
  (name) => collections[name].isCached,
);

/** Returns the notices to send after these changes are stored. */
export function noticesOf(changes: readonly Change[]): readonly ChangeNotice[] {
  const notices: ChangeNotice[] = [];
  // Most writes have none.
  for (const change of changes) {
    if (!('collection' in change) || !collections[change.collection].isCached) continue;
    const { collection } = change;
    if (change.op === 'remove') notices.push({ collection, id: change.id, version: change.version + 1 });
    else notices.push({ collection, id: change.record.id, version: change.record.version });
  }
  return notices;
}
