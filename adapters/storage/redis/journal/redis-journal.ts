import {
  type Block,
  type BlockHeader,
  isFinal,
  type JournalStorage,
  keepsCounts,
} from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { readCompleteSince } from '../retention.ts';
import { defineGuarded } from '../script.ts';
import { assertTexts, BLOCKS, toHeadStart, toName, toTexts, toValue } from './blocks.ts';
import { eraseJournal, eraseTexts } from './erase.ts';
import { fileFlush } from './file.ts';
import { findBlocks, findFiled, loadBlocks } from './find.ts';
import { mergeFlushes, rewriteBlock } from './merge.ts';
import { readSums } from './sums.ts';
import { openWriter, readUnmerged, readWriters } from './writers.ts';

export interface RedisJournalOptions {
  readonly store: GuardedStore;
  readonly journalCap: number;
  readonly strictRefusal?: string;
  readonly follow: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

export function createRedisJournal(options: RedisJournalOptions): JournalStorage {
  const { store, journalCap, strictRefusal, follow } = options;
  return {
    ...(strictRefusal === undefined ? {} : { strictRefusal }),
    open: (writer, instant) => follow(() => openWriter(store, writer, instant)),
    file: (flush) => follow(() => fileFlush(store, flush, journalCap)),
    writers: () => follow(() => readWriters(store)),
    unmerged: (query) => follow(() => readUnmerged(store, query)),
    blocks: (query) => follow(() => findBlocks(store, query)),
    load: (names) => follow(() => loadBlocks(store, names)),
    filed: (query) => follow(() => findFiled(store, query)),
    merge: (merge) => follow(() => mergeFlushes(store, merge)),
    sums: (query) => follow(() => readSums(store, query)),
    compact: (headers, targetBlock) => follow(() => compactBlocks(store, headers, targetBlock)),
    rewrite: (rewriting) => follow(() => rewriteBlock(store, rewriting)),
    eraseTexts: (name, erasedCount, erasable) =>
      follow(() => eraseTexts(store, { name, erased: erasedCount, erasable })),
    erase: (erasure) => follow(() => eraseJournal(store, erasure)),
    completeSince: (account_id) => follow(() => readCompleteSince(store, account_id)),
  };
}

/**
 * Replaces several blocks by one block, or changes nothing. Returns `false` if a block is not merged into the
 * rollups, differs from its header, or is final. A final block is kept for the evidence log. A single block
 * that keeps its counts need not be merged.
 */
async function compactBlocks(
  { run }: GuardedStore,
  headers: readonly BlockHeader[],
  targetBlock: Block,
): Promise<boolean> {
  const [name, old] = [toName(targetBlock), headers.map(toName)];
  assertTexts(old);
  if (!old.includes(name))
    throw new RangeError('A block can only take the place of one of its name and others.');
  if (headers.some(isFinal)) return false;
  const starts = new Map(headers.map((header) => [toName(header), toHeadStart(header)]));
  const numbers = new Map(headers.map((header) => [toName(header), header.erased.toString(36)]));
  const expectedTexts = [[...starts.keys()], [...starts.values()], [...numbers.values()]];
  const mayWait = keepsCounts(headers, targetBlock) ? 'yes' : 'no';
  const args = [JSON.stringify(expectedTexts), name, toValue(targetBlock), toTexts(targetBlock), mayWait];
  return (await run((evaluate) => evaluate(compact, args))) === 1;
}

const compact = defineGuarded(`${BLOCKS}
  local names, starts, numbers = unpack(cjson.decode(ARGV[2]))
  local name, value = ARGV[3], ARGV[4]
  local heads, is_waiting = {}, false
  for i, old in ipairs(names) do
    local writer, seq = parse_name(old)
    is_waiting = not is_merged(writer, seq)
    heads[i] = not (is_waiting and ARGV[6] == 'no') and head_at(old)
    if not heads[i] or string.sub(heads[i], 1, #starts[i]) ~= starts[i] then return 0 end
    if erased_of(old) ~= numbers[i] then return 0 end
  end
  redis.call('SET', key_of(name), value)
  put_texts(name, ARGV[5])
  local records = 0
  for i, old in ipairs(names) do
    if old ~= name then redis.call('DEL', key_of(old), texts_of(old)) end
    unindex(old, heads[i])
    records = records - records_of(heads[i])
  end
  local head = line_of(value)
  index({ name }, { head })
  if is_waiting then redis.call('ZADD', prefix .. 'journal:unmerged:' .. select(3, parse_name(name)), 0, head) end
  records = records + records_of(head)
  if records ~= 0 then redis.call('INCRBY', prefix .. 'journal:records', records) end
  advance()
  return 1`);
