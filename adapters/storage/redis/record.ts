import type { CollectionName, StoredRecord } from '../../../src/ports/index.ts';
import { collections } from '../../../src/ports/index.ts';
import { isRedisText, joinNames, NEVER, sortable } from './keys.ts';

/**
 * Returns the stored form of a record: a line for the scripts, and its JSON, which the scripts never read. The line is
 * a list of texts: the version, the account, and for each index of the record its name and the place in it.
 */
export function toStored(collection: CollectionName, record: StoredRecord): string {
  if (!isRedisText(record.id)) throw new TypeError('An id holds a lone surrogate.');
  const head = [String(record.version), record.account_id, ...placesOf(collection, record).flat()];
  return `${JSON.stringify(head)}\n${JSON.stringify(record)}`;
}

export function fromStored(text: string): StoredRecord {
  return JSON.parse(text.slice(text.indexOf('\n') + 1));
}

/**
 * Returns the smallest index that contains every record whose fields equal `filter`, and whether it contains other
 * records.
 */
export function listIndex(
  collection: CollectionName,
  filter: Readonly<Record<string, string>>,
): { readonly index: string; readonly isExact: boolean } {
  const fields = collections[collection].lists.findLast((names) =>
    names.every((name) => Object.hasOwn(filter, name)),
  );
  const index = indexName(collection, fields ?? [], filter);
  return { index, isExact: (fields?.length ?? 0) === Object.keys(filter).length };
}

export function expiryIndex(collection: CollectionName, filter: Readonly<Record<string, unknown>>): string {
  const { expired } = collections[collection];
  if (expired === undefined) throw new TypeError(`${collection} cannot be listed by expiry.`);
  return `expiring:${indexName(collection, expired, filter)}`;
}

export function dueIndex(
  collection: CollectionName,
  field?: string,
  values: Readonly<Record<string, unknown>> = {},
): string {
  return field === undefined ? `due:${collection}` : `due:${indexName(collection, [field], values)}`;
}

export function countIndexes(account_id: string): Readonly<Record<CountIndex, string>> {
  const account = joinNames(account_id);
  return {
    all: indexName('passports', ['account_id'], { account_id }),
    revoked: indexName('passports', ['account_id', 'status'], { account_id, status: 'revoked' }),
    suspended: `countPassports:suspended:${account}`,
    expiring: `countPassports:expiring:${account}`,
    lapsing: `countPassports:lapsing:${account}`,
  };
}

/**
 * The indexes for counting.
 *
 * - `suspended` has the suspended passports, by the end of the suspension.
 * - `expiring` has the passports that are neither revoked nor suspended, by expiry.
 * - `lapsing` has the suspended passports that will count as expired. They do so once both the suspension and
 *   the validity have ended, so the index is ordered by the later end.
 */
export type CountIndex = 'all' | 'revoked' | 'suspended' | 'expiring' | 'lapsing';

type Place = readonly [index: string, at: string];

function placesOf(collection: CollectionName, record: StoredRecord): readonly Place[] {
  const createdSortable = sortable(record.created_at);
  const lists = collections[collection].lists
    .filter((fields) => fields.length > 0 && fields.every((field) => typeof record[field] === 'string'))
    .map((fields): Place => [indexName(collection, fields, record), createdSortable]);
  return [
    // Every list can be read from this one.
    [indexName(collection, [], record), createdSortable],
    ...lists,
    ...expiringIn(collection, record),
    ...dueIn(collection, record),
    ...countedIn(collection, record),
  ];
}

function expiringIn(collection: CollectionName, record: StoredRecord): readonly Place[] {
  const { expired, expires } = collections[collection];
  const { expires_at } = record;
  if (typeof expires_at !== 'string') return [];
  const expiry = sortable(expires_at);
  return [
    ...(expired === undefined ? [] : [[expiryIndex(collection, record), expiry] as const]),
    ...(expires ? [[`expiry:${collection}`, expiry] as const] : []),
  ];
}

function dueIn(collection: CollectionName, record: StoredRecord): readonly Place[] {
  const { due } = collections[collection];
  const { due_at } = record;
  if (due === undefined || typeof due_at !== 'string') return [];
  const fields = due.filter((field) => typeof record[field] === 'string');
  return [undefined, ...fields].map((field) => [dueIndex(collection, field, record), sortable(due_at)]);
}

function countedIn(collection: CollectionName, record: StoredRecord): readonly Place[] {
  if (collection !== 'passports' || record['status'] === 'revoked') return [];
  const indexes = countIndexes(record.account_id);
  const end = instantOf(record['expires_at']);
  if (record['status'] !== 'suspended') return end === NEVER ? [] : [[indexes.expiring, end]];
  const instant = instantOf(record['suspended_until']);
  const [, later = NEVER] = [instant, end].sort();
  return [[indexes.suspended, instant], ...(later === NEVER ? [] : [[indexes.lapsing, later] as const])];
}

function instantOf(field: unknown): string {
  return typeof field === 'string' ? sortable(field) : NEVER;
}

function indexName(
  collection: CollectionName,
  fields: readonly string[],
  values: Readonly<Record<string, unknown>>,
): string {
  if (fields.length === 0) return `list:${collection}`;
  return `list:${collection}:${fields.join('+')}:${joinNames(...fields.map((field) => String(values[field])))}`;
}
