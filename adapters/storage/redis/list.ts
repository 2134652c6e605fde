import {
  assertListed,
  type CollectionName,
  type ListOrder,
  type ListQuery,
  type StoredRecord,
} from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { isRedisText, sortable } from './keys.ts';
import { dueIndex, expiryIndex, fromStored, listIndex } from './record.ts';
import { defineGuarded } from './script.ts';

/** The number of records that one script reads if the index may also contain records outside the list. */
const LOOKED_AT = 500;

export async function listRecords(
  store: GuardedStore,
  collection: CollectionName,
  query: ListQuery,
): Promise<readonly StoredRecord[]> {
  assertListed(collection, query);
  const { where, order = 'created_at' } = query;
  if (!Object.values(where).every(isRedisText)) return [];
  if (order === 'created_at') return listNewest(store, collection, query);
  const index =
    order === 'due_at' ? dueIndex(collection, Object.keys(where)[0], where) : expiryIndex(collection, where);
  const { run } = store;
  const args = [collection, index, ...boundsOf(query, order), String(query.limit)];
  const texts = await run((evaluate) => evaluate(order === 'due_at' ? due : list, args));
  return (texts as readonly string[]).map(fromStored);
}

/** Returns the bounds of the index range: start and end for an ascending list, only the end for a descending list. */
function boundsOf({ until, after }: ListQuery, order: ListOrder): readonly string[] {
  // `!` follows the space in ASCII, so that the limit is behind every member of the instant.
  const last = until === undefined ? '+' : `(${sortable(until)}!`;
  const instant = after?.[order];
  const place = instant === undefined ? undefined : `(${sortable(instant)} ${after?.id}`;
  if (order === 'due_at') return [place ?? '-', last];
  const isInside = instant !== undefined && (until === undefined || instant <= until);
  return [isInside && place !== undefined ? place : last];
}

async function listNewest(
  { run }: GuardedStore,
  collection: CollectionName,
  query: ListQuery,
): Promise<readonly StoredRecord[]> {
  const { where, limit } = query;
  const conditions = Object.entries(where);
  const { index, isExact } = listIndex(collection, where);
  const number = isExact ? limit : Math.max(limit, LOOKED_AT);
  return run(async (evaluate) => {
    const page: StoredRecord[] = [];
    let [end] = boundsOf(query, 'created_at');
    for (;;) {
      const texts = await evaluate(list, [collection, index, `${end}`, String(number)]);
      const records = (texts as readonly string[]).map(fromStored);
      page.push(
        ...records.filter((record) => conditions.every(([field, text]) => isText(record, field, text))),
      );
      const last = records.at(-1);
      if (last === undefined || records.length < number || page.length >= limit) return page.slice(0, limit);
      end = `(${sortable(last.created_at)} ${last.id}`;
    }
  });
}

function isText(record: StoredRecord, field: string, text: string): boolean {
  return Object.hasOwn(record, field) && record[field] === text;
}

/** Lua that returns the records of index members. If the server has evicted a record, the script fails. */
const ANSWER = `
  if #members == 0 then return {} end
  local keys = {}
  for i, member in ipairs(members) do keys[i] = prefix .. ARGV[2] .. ':' .. string.sub(member, 17) end
  local texts = redis.call('MGET', unpack(keys))
  for i = 1, #keys do
    if not texts[i] then return redis.error_reply('LOSTRECORD a record that is listed is missing') end
  end
  return texts`;

const list = defineGuarded(`
  local members = redis.call('ZREVRANGEBYLEX', prefix .. ARGV[3], ARGV[4], '-', 'LIMIT', 0, ARGV[5])${ANSWER}`);

const due = defineGuarded(`
  local members = redis.call('ZRANGEBYLEX', prefix .. ARGV[3], ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])${ANSWER}`);
