import {
  type Block,
  type BlockHeader,
  type BlockName,
  type BlocksQuery,
  type FiledQuery,
  MAX_BLOCK_SPAN_MS,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
} from '../../../../src/ports/index.ts';
import type { Evaluate } from '../evaluate.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { isRedisText } from '../keys.ts';
import { defineGuarded } from '../script.ts';
import {
  assertLimit,
  BLOCKS,
  paddedMs,
  paddedSeq,
  type StoredBlock,
  toBlock,
  toHeader,
  toName,
  toPlace,
} from './blocks.ts';

const LOOKED_AT = 500;
const MAX_BYTES = 1_000_000;

export async function findBlocks({ run }: GuardedStore, query: BlocksQuery): Promise<readonly BlockHeader[]> {
  const {
    account_id,
    from_ms,
    verdict,
    flags = 0,
    upto_ms = Number.MAX_SAFE_INTEGER,
    names = [],
    limit,
  } = query;
  assertLimit(limit, MAX_LISTED_BLOCKS);
  if (!isRedisText(account_id)) return [];
  const begin = from_ms === undefined ? '-' : `[${paddedMs(Math.ceil(from_ms))}`;
  const wantedText = JSON.stringify([upto_ms, verdict ?? '', flags, names]);
  return run(async (evaluate) => {
    const headers: BlockHeader[] = [];
    let end = endOf(query);
    while (headers.length < limit) {
      const args = [account_id, begin, end, String(LOOKED_AT), String(limit - headers.length), wantedText];
      const [next, ...heads] = (await evaluate(find, args)) as [string, ...string[]];
      headers.push(...heads.map((head) => toHeader(head, account_id)));
      if (next === '') break;
      end = `(${next}`;
    }
    return headers;
  });
}

/**
 * Returns the end of the index range. Blocks are ordered by their ends. A block that begins within the
 * queried time can end up to `MAX_BLOCK_SPAN_MS` later, so the range is longer by this span.
 */
function endOf({ upto_ms, after }: BlocksQuery): string {
  const ends = [
    ...(upto_ms === undefined ? [] : [paddedMs(upto_ms + MAX_BLOCK_SPAN_MS + 1)]),
    ...(after === undefined ? [] : [toPlace(after)]),
  ].sort();
  return ends[0] === undefined ? '+' : `(${ends[0]}`;
}

export async function findFiled({ run }: GuardedStore, query: FiledQuery): Promise<readonly BlockHeader[]> {
  const { writer, from, to, after, limit } = query;
  assertLimit(limit, MAX_LISTED_BLOCKS);
  const first = paddedSeq(from + 1);
  const place = after === undefined ? '' : `${paddedSeq(after.seq)} ${after.account_id}`;
  if (!isRedisText(writer + place)) return [];
  const begin = place > first ? `(${place}` : `[${first}`;
  const answer = await run((evaluate) =>
    evaluate(filedScript, [writer, begin, `(${paddedSeq(to + 1)}`, String(limit)]),
  );
  const pairs = answer as readonly (readonly [string, string])[];
  return pairs.map(([member, head]) => toHeader(head, member.slice(member.indexOf(' ') + 1)));
}

export async function loadBlocks(
  { run }: GuardedStore,
  names: readonly BlockName[],
): Promise<readonly (Block | undefined)[]> {
  if (names.length > MAX_LOADED_BLOCKS)
    throw new RangeError(`At most ${MAX_LOADED_BLOCKS} blocks are loaded.`);
  const isStorable = names.map(({ writer, account_id }) => isRedisText(writer + account_id));
  const storedNames = names.filter((_, index) => isStorable[index]);
  const values = await run((evaluate) => fetchValues(evaluate, storedNames.map(toName)));
  let next = 0;
  return names.map(({ account_id }, index) => {
    const value = isStorable[index] ? values[next++] : undefined;
    return value === undefined ? undefined : toBlock(value, account_id);
  });
}

type StoredPair = readonly [value: Buffer, texts: Buffer | null];

export function toStored([value, texts]: StoredPair): StoredBlock {
  return { value, texts: texts ?? undefined };
}

export async function fetchValues(
  evaluate: Evaluate,
  names: readonly string[],
): Promise<readonly (StoredBlock | undefined)[]> {
  const values: (StoredBlock | undefined)[] = [];
  do {
    const askedNames = names.slice(values.length, values.length + LOOKED_AT);
    const pairs = (await evaluate(fetch, askedNames, 'bytes')) as readonly (StoredPair | null)[];
    values.push(...pairs.map((pair) => (pair === null ? undefined : toStored(pair))));
  } while (values.length < names.length);
  return values;
}

/** Returns the place to continue from, or '' at the end, followed by the heads. */
const find = defineGuarded(`${BLOCKS}
  local account, number, left = ARGV[2], tonumber(ARGV[5]), tonumber(ARGV[6])
  local upto, verdict, flags, names = unpack(cjson.decode(ARGV[7]))

  local function may_hold(key, from, size)
    for _, hashes in ipairs(names) do
      for _, hash in ipairs(hashes) do
        local at = hash % (8 * size)
        local byte = math.floor(at / 8)
        if redis.call('GETBIT', key, 8 * (from + byte) + 7 - at % 8) == 0 then return false end
      end
    end
    return true
  end

  local members = redis.call(
    'ZREVRANGEBYLEX', prefix .. 'journal:blocks:' .. account, ARGV[4], ARGV[3], 'LIMIT', 0, number
  )
  local answer = { '' }
  for at, head in ipairs(members) do
    local to, writer, seq, span, records, denied, its_flags, size = parse_head(head)
    records, denied = number_of(records), number_of(denied)
    local fits = number_of(to) - number_of(span) <= upto
      and (verdict ~= 'DENY' or denied > 0)
      and (verdict ~= 'ALLOW' or records > denied)
      and (flags == 0 or bit.band(flags, number_of(its_flags)) ~= 0)
    if fits and #names > 0 then
      local key = key_of(writer .. '.' .. seq .. ':' .. account)
      fits = may_hold(key, #head + 1, number_of(size))
      if not fits and redis.call('EXISTS', key) == 0 then return lost() end
    end
    if fits then
      answer[#answer + 1] = numbered(writer .. '.' .. seq .. ':' .. account, head)
      left = left - 1
    end
    if left == 0 or at == number then
      answer[1] = head
      break
    end
  end
  return answer`);

const filedScript = defineGuarded(`${BLOCKS}
  local writer = ARGV[2]
  local members = redis.call(
    'ZRANGEBYLEX', prefix .. 'journal:filed:' .. writer, ARGV[3], ARGV[4], 'LIMIT', 0, ARGV[5]
  )
  local answer = {}
  for i, member in ipairs(members) do
    local seq, account = string.match(member, '^(%w+) (.*)$')
    local name = writer .. '.' .. seq .. ':' .. account
    local head = head_at(name)
    if not head then return lost() end
    answer[i] = { member, numbered(name, head) }
  end
  return answer`);

const fetch = defineGuarded(`${BLOCKS}
  local found, size = {}, 0
  for i = 2, #ARGV do
    local value = redis.call('GET', key_of(ARGV[i]))
    if not value then
      local writer, seq, account = parse_name(ARGV[i])
      if redis.call('ZSCORE', prefix .. 'journal:filed:' .. writer, seq .. ' ' .. account) then return lost() end
    end
    local texts = value and redis.call('GET', texts_of(ARGV[i]))
    found[#found + 1] = value and { value, texts } or false
    size = size + (value and #value or 0) + (texts and #texts or 0)
    if size >= ${MAX_BYTES} then break end
  end
  return found`);
