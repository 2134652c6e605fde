import {
  assertPageSize,
  type CollectionName,
  type DueCollection,
  type DuePart,
  type ExpiredQuery,
  type ExpiringCollection,
  type Instant,
  type ListQuery,
  type Position,
  type StoredRecord,
} from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { isRedisText, sortable } from './keys.ts';
import { dueIndex, expiryIndex, fromStored, listIndex } from './record.ts';
import { defineGuarded } from './script.ts';

/** The number of records that one script reads if some of them may not belong to the list. */
const LOOKED_AT = 500;

/** Returns one page of a collection. */
export async function listRecords(
  { run }: GuardedStore,
  collection: CollectionName,
  query: ListQuery,
): Promise<readonly StoredRecord[]> {
  const { where, limit } = query;
  assertPageSize(limit);
  const conditions = Object.entries(where);
  if (!conditions.every(([, text]) => isRedisText(text))) return [];
  const { index, isExact } = listIndex(collection, where);
  const number = isExact ? limit : Math.max(limit, LOOKED_AT);
  return run(async (evaluate) => {
    const page: StoredRecord[] = [];
    let end = query.after === undefined ? '+' : endBefore(query.after);
    for (;;) {
      const texts = await evaluate(list, [collection, index, end, String(number)]);
      const records = (texts as readonly string[]).map(fromStored);
      page.push(
        ...records.filter((record) => conditions.every(([field, text]) => isText(record, field, text))),
      );
      const last = records.at(-1);
      if (last === undefined || records.length < number || page.length >= limit) return page.slice(0, limit);
      end = endBefore(last);
    }
  });
}

/** Returns one page of the records that have expired. */
export async function listExpiredRecords(
  { run }: GuardedStore,
  collection: ExpiringCollection,
  { where, by, after, limit }: ExpiredQuery,
): Promise<readonly StoredRecord[]> {
  assertPageSize(limit);
  if (!Object.values(where).every(isRedisText)) return [];
  // `!` follows the space in ASCII, so that the limit is behind every member of the instant.
  const isInside = after !== undefined && after.expires_at <= by;
  const end = isInside ? `(${sortable(after.expires_at)} ${after.id}` : `(${sortable(by)}!`;
  const args = [collection, expiryIndex(collection, where), end, String(limit)];
  const texts = (await run((evaluate) => evaluate(list, args))) as readonly string[];
  return texts.map(fromStored);
}

/** Returns the end of an index range, just before the position. */
function endBefore({ created_at, id }: Position): string {
  return `(${sortable(created_at)} ${id}`;
}

function isText(record: StoredRecord, field: string, text: string): boolean {
  return Object.hasOwn(record, field) && record[field] === text;
}

/** A query for records that are due. */
export interface DueQuery extends DuePart {
  readonly before: Instant;
  readonly limit: number;
}

/** Returns the records that are due, the earliest first. */
export async function listDueRecords(
  { run }: GuardedStore,
  collection: DueCollection,
  { before, limit, where = {}, after }: DueQuery,
): Promise<readonly StoredRecord[]> {
  assertPageSize(limit);
  if (!Object.values(where).every(isRedisText)) return [];
  const index = dueIndex(collection, Object.keys(where)[0], where);
  const start = after === undefined ? '-' : `(${sortable(after.due_at)} ${after.id}`;
  const args = [collection, index, start, `(${sortable(before)}!`, String(limit)];
  const texts = (await run((evaluate) => evaluate(due, args))) as readonly string[];
  return texts.map(fromStored);
}

/** Lua that returns the records of members of an index. A missing one was evicted by the server. */
const ANSWER = `
  if #members == 0 then return {} end
  local keys = {}
  for i, member in ipairs(members) do keys[i] = prefix .. ARGV[2] .. ':' .. string.sub(member, 17) end
  local texts = redis.call('MGET', unpack(keys))
  for i = 1, #keys do
    if not texts[i] then return redis.error_reply('LOSTRECORD a record that is listed is missing') end
  end
  return texts`;

/** Returns the records before a place in an index, newest first. */
const list = defineGuarded(`
  local members = redis.call('ZREVRANGEBYLEX', prefix .. ARGV[3], ARGV[4], '-', 'LIMIT', 0, ARGV[5])${ANSWER}`);

/** Returns the records before a place in an index, oldest first. */
const due = defineGuarded(`
  local members = redis.call('ZRANGEBYLEX', prefix .. ARGV[3], ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])${ANSWER}`);
