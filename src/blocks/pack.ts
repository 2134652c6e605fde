/** Stored records, such as those of several blocks, packed into blocks again. */
import type { Block, BlockName } from '../ports/journal.ts';
import type { VerdictRecord } from '../records.ts';
import { createBlockBuilder } from './block-builder.ts';
import type { BlockView } from './block-view.ts';
import type { Drop } from './drops.ts';
import type { SealedBlock } from './encode.ts';

/** A record with the bucket of its latency. */
export interface TimedRecord {
  readonly record: VerdictRecord;
  readonly bucket: number;
}

/**
 * Packs the records, which come in the order of their time, into as few blocks as possible; the drops are in the last.
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
  if (builder.length > 0 || drops.length > 0) blocks.push(builder.seal(drops));
  return blocks;
}

/** Returns a sealed block under a name, with the number of its erasures. */
export function namedBlock(
  { from_ms, to_ms, records, denied, flags, filter, data, erasable }: SealedBlock,
  { writer, seq, account_id }: BlockName,
  erased = 0,
): Block {
  const header = { writer, seq, account_id, from_ms, to_ms, records, denied, flags, erased, filter, data };
  return erasable === undefined ? header : Object.assign(header, { erasable });
}

/** Yields the records of some blocks by time, then id, to pack them again; each is read when it is asked for. */
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
