import { type FlushResult, type JournalFlush, MAX_FLUSHED_BLOCKS } from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { sortable } from '../keys.ts';
import { defineGuarded } from '../script.ts';
import { assertTexts, BLOCKS, FORGETTING, paddedSeq, toName, toTexts, toValue } from './blocks.ts';
import { UNMERGED } from './writers.ts';

/**
 * Stores the blocks of a flush in one script, or none of them. Then removes the oldest merged blocks while at least
 * `cap` verdicts of all accounts remain.
 */
export async function fileFlush(
  { run }: GuardedStore,
  flush: JournalFlush,
  cap: number,
): Promise<FlushResult> {
  const { writer, seq, first = seq, at, blocks } = flush;
  if (blocks.length > MAX_FLUSHED_BLOCKS)
    throw new RangeError(`A flush has ${MAX_FLUSHED_BLOCKS} blocks at most.`);
  assertTexts([writer, ...blocks.map(({ account_id }) => account_id)]);
  const values = blocks.map(toValue);
  const names = blocks.map(({ account_id }) => toName({ writer, seq, account_id }));
  if (new Set(names).size < names.length) throw new TypeError('A flush holds two blocks of one account.');
  // One argument for all blocks: the client writes each argument separately.
  const texts = blocks.map(toTexts);
  const sizes = [values, texts].map((bytes) => bytes.map(({ length }) => length));
  const contents = JSON.stringify([names, ...sizes]);
  const args = [
    writer,
    paddedSeq(seq),
    sortable(at),
    String(cap),
    contents,
    Buffer.concat([...values, ...texts]),
    paddedSeq(first),
  ];
  return (await run((evaluate) => evaluate(file, args))) as FlushResult;
}

/** The maximum number of further blocks that a flush removes after the cap was lowered. */
const ALSO_LET_GO = 50;
/**
 * The number of entries of `journal:unmerged` that the script checks for each new block of the account. If the block of
 * an entry was merged since it was stored, the script removes the entry.
 */
const SETTLED = 3;

/**
 * The script of `fileFlush`. The largest write comes first, because a full server refuses only the first write of a
 * script.
 */
const file = defineGuarded(`${BLOCKS}${FORGETTING}
  local writer, seq, at, cap = ARGV[2], number_of(ARGV[3]), ARGV[4], tonumber(ARGV[5])
  local state = redis.call('HGET', writers, writer)
  if not state then return 'unknown_writer' end
  local flushed, merged = string.match(state, '^(%d+) (%d+)')
  if tonumber(flushed) >= number_of(ARGV[8]) then return 'known' end

  local names, sizes, text_sizes = unpack(cjson.decode(ARGV[6]))
  local heads, begin, added = {}, 1, 0
  for i, name in ipairs(names) do
    local value = string.sub(ARGV[7], begin, begin + sizes[i] - 1)
    local head = line_of(value)
    begin = begin + #value
    heads[i] = head
    redis.call('SET', key_of(name), value)
    local unmerged = prefix .. 'journal:unmerged:' .. select(3, parse_name(name))
    redis.call('ZADD', unmerged, 0, head)
    for _, old in ipairs(redis.call('ZRANGE', unmerged, 0, ${SETTLED - 1})) do
      if is_merged(filer_of(old)) then redis.call('ZREM', unmerged, old) end
    end
    added = added + records_of(head)
  end
  for i, name in ipairs(names) do
    local size = text_sizes[i]
    if size > 0 then redis.call('SET', texts_of(name), string.sub(ARGV[7], begin, begin + size - 1)) end
    begin = begin + size
  end
  index(names, heads)
  redis.call('HSET', writers, writer, string.format('%.0f', seq) .. ' ' .. merged .. ' ' .. at)
  redis.call('ZADD', prefix .. '${UNMERGED}', 0, writer)
  local left = redis.call('INCRBY', prefix .. 'journal:records', added)

  if left > cap then
    for _, member in ipairs(redis.call('ZRANGE', age, 0, #names + ${ALSO_LET_GO - 1})) do
      local name = string.sub(member, 12)
      local its_writer, its_seq, account = parse_name(name)
      if is_merged(its_writer, its_seq) then
        local head = head_at(name)
        -- One that the server has lost is named by the next that reads it.
        if not head or left - records_of(head) < cap then break end
        left = left - forget(name, head)
        local to = number_of(string.sub(head, 1, 10))
        if to >= tonumber(redis.call('HGET', prefix .. 'journal:gone', account) or 0) then
          redis.call('HSET', prefix .. 'journal:gone', account, string.format('%.0f', to))
        end
      end
    end
  end
  advance()
  return 'filed'`);
