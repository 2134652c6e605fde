/** The types of the stored records, by collection. */

import type { AnyCollection } from './collection.ts';
import * as declared from './collections.ts';

/** The record of each collection. */
export type StoredRecords = {
  readonly [Name in CollectionName]: NonNullable<(typeof declared)[Name]['types']>;
};

/** The name of a collection. */
export type CollectionName = keyof typeof declared;

/** The declaration of each collection, by name. */
export const collections: Readonly<Record<CollectionName, AnyCollection>> = { ...declared };

/** The names of the collections, in order. */
export const COLLECTION_NAMES: readonly CollectionName[] = (
  Object.keys(collections) as CollectionName[]
).sort();

/** Returns `true` if the name belongs to a collection of records that are removed after their `expires_at`. */
export function isExpiring(name: string): name is CollectionName {
  return Object.hasOwn(collections, name) && collections[name as CollectionName].expires === true;
}
