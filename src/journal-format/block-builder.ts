/** Builds blocks: decides which records belong to one block, and when the block is full. */
import { type CountedId, idCount, idPrefix } from '../base/bytes/counted-ids.ts';
import { type Block, type BlockName, MAX_BLOCK_SPAN_MS } from '../ports/journal.ts';
import type { VerdictRecord } from '../records.ts';
import type { BlockView } from './block-view.ts';
import { type ByteWriter, createByteWriter, type Drop } from './bytes.ts';
import { createColumns } from './columns.ts';
import { encodeRows, type SealedBlock } from './encode.ts';
import { MAX_RECORDS } from './format.ts';

const MAX_TEXT_BYTES = 1_000_000;
/**
 * The number of records between two estimates of the size, because estimating ten columns takes as long as filling
 * them.
 */
const WEIGHED = 16;

/** The properties of a finished block. */
export interface SealedKind {
  /** `false` for records of an old block that did not store approvals; default `true`. */
  readonly hasApprovals: boolean;
}

/** Builds one block after another. */
export interface BlockBuilder {
  /** Returns the number of records in the current block. */
  length(): number;
  /**
   * Adds a record with the bucket of its latency. Returns `false` without adding it if the record belongs to the next
   * block. `id` has the parts of the decision id. By default, the builder reads them from the record.
   */
  push(record: VerdictRecord, bucket: number, id?: CountedId): boolean;
  /**
   * Finishes a block. Returns it with the records that were added since the last call, and the given counts of dropped
   * records.
   */
  seal(drops?: readonly Drop[], kind?: SealedKind): SealedBlock;
}

/**
 * Creates an empty builder. All record ids of a block must have the same prefix. Builders that share `scratch` need
 * memory for the bytes of only one block.
 */
export function createBlockBuilder(scratch: ByteWriter = createByteWriter()): BlockBuilder {
  const columns = createColumns();
  let length = 0;
  let prefix = '';
  let first = 0;
  let last = 0;
  let instant = '';
  let instantMs = 0;

  function msOf(instantText: string): number {
    if (instantText !== instant) {
      instantMs = Date.parse(instantText);
      instant = instantText;
    }
    return instantMs;
  }

  function fits({ decision_id }: VerdictRecord, atMs: number, id: CountedId | undefined): boolean {
    if (length === 0) return true;
    const span = Math.max(last, atMs) - Math.min(first, atMs);
    return (
      length < MAX_RECORDS &&
      (length % WEIGHED !== 0 || columns.size() < MAX_TEXT_BYTES) &&
      span <= MAX_BLOCK_SPAN_MS &&
      (id === undefined ? decision_id.startsWith(prefix) : id.prefix === prefix)
    );
  }

  return {
    length: () => length,
    push(record, bucket, id) {
      const atMs = msOf(record.evaluated_at);
      if (!fits(record, atMs, id)) return false;
      if (length === 0) {
        prefix = id?.prefix ?? idPrefix(record.decision_id);
        first = atMs;
        last = atMs;
      } else if (atMs < first) first = atMs;
      else if (atMs > last) last = atMs;
      const count = id?.count ?? idCount(record.decision_id, prefix.length);
      if (count < 0) throw new RangeError('The decision id has no count.');
      columns.add(length, record, atMs, count, bucket);
      length += 1;
      return true;
    },
    seal(drops = [], { hasApprovals } = { hasApprovals: true }) {
      const block = encodeRows({ length, prefix, drops, hasApprovals, ...columns.columns() }, scratch);
      columns.clear();
      length = 0;
      return block;
    },
  };
}

/** A record with the bucket of its latency. */
export interface TimedRecord {
  readonly record: VerdictRecord;
  readonly bucket: number;
}

/**
 * Packs records, which must be in the order of their time, into as few blocks as possible. The last block gets the
 * counts of dropped records.
 */
export function packRecords(
  records: Iterable<TimedRecord>,
  drops: readonly Drop[] = [],
): readonly SealedBlock[] {
  const builder = createBlockBuilder();
  const blocks: SealedBlock[] = [];
  for (const { record, bucket } of records) {
    if (builder.push(record, bucket)) continue;
    blocks.push(builder.seal());
    builder.push(record, bucket);
  }
  if (builder.length() > 0 || drops.length > 0) blocks.push(builder.seal(drops));
  return blocks;
}

/** Returns a finished block with its name and the number of its erasures. */
export function namedBlock(
  { from_ms, to_ms, records, denied, flags, filter, data, erasable }: SealedBlock,
  { writer, seq, account_id }: BlockName,
  erasedCount = 0,
): Block {
  const header = {
    writer,
    seq,
    account_id,
    from_ms,
    to_ms,
    records,
    denied,
    flags,
    erased: erasedCount,
    filter,
    data,
  };
  return erasable === undefined ? header : Object.assign(header, { erasable });
}

/**
 * Yields the records of several blocks, sorted by time and id, to pack them again. Each record is read only when it is
 * needed.
 */
export function* mergedRecords(views: readonly BlockView[]): Generator<TimedRecord, void> {
  const entries = views.flatMap((view) =>
    Array.from({ length: view.length }, (_, index) => ({ view, index, ms: view.times[index] as number })),
  );
  entries.sort((a, b) => a.ms - b.ms || compareText(a.view.decisionId(a.index), b.view.decisionId(b.index)));
  for (const { view, index } of entries)
    yield { record: view.record(index), bucket: view.latencies[index] as number };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
