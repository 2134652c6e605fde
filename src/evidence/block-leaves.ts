/** Creates the log entries (leaves) of a block: one for its bytes, and one for each verdict with a permit. */
import { formatInstant } from '../base/values/instant.ts';
import type { ReadBlock } from '../core/journal/damage.ts';
import { type BlockView, openBlock } from '../journal-format/index.ts';
import { hashing } from '../platform/index.ts';
import type { Block } from '../ports/journal.ts';
import type { VerdictRecord } from '../records.ts';
import { type LoggedRecord, loggedRecord } from '../transparency-log/entries.ts';
import type { Leaf } from './grow.ts';

export function blockSubject({ writer, seq }: Pick<Block, 'writer' | 'seq'>): string {
  return `${writer}.${seq}`;
}

export interface LeafParts {
  readonly readBlock: ReadBlock;
  readonly nextSlice: () => Promise<void>;
}

/** The maximum number of records that are read without a break. A block of permits takes tens of milliseconds. */
const RECORDS_AT_ONCE = 64;

/** Returns the leaves of a block, each with the new position of its writer. A damaged block also has a leaf. */
export async function leavesOf(block: Block, parts: LeafParts): Promise<readonly Leaf[]> {
  const { writer, seq, records, denied, from_ms, to_ms } = block;
  // Without the texts that can be erased, which no leaf covers.
  const view = parts.readBlock(block, () => openBlock(block.data));
  const permittedRecords = view === undefined ? [] : await permittedIn(block, view, parts);
  const drops = view?.drops.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const [start, end] = [from_ms, to_ms].map(formatInstant) as [string, string];
  const digest = hashing.sha256Hex(block.data);
  const name = blockSubject(block);
  return [
    {
      content: {
        kind: 'verdicts',
        block: name,
        digest,
        records,
        denied,
        permits: permittedRecords.length,
        from: start,
        to: end,
        drops,
      },
      subject: name,
      position: [writer, [seq, 0]],
    },
    ...permittedRecords.map(
      (record, atMs): Leaf => ({
        content: { kind: 'verdict', record },
        subject: record.decision_id,
        position: [writer, [seq, atMs + 1]],
      }),
    ),
  ];
}

async function permittedIn(
  block: Block,
  view: BlockView,
  { readBlock, nextSlice }: LeafParts,
): Promise<readonly LoggedRecord[]> {
  const permits = readBlock(block, () => view.permits) ?? [];
  const records: LoggedRecord[] = [];
  for (let start = 0; start < permits.length; start += RECORDS_AT_ONCE) {
    await nextSlice();
    const someRecords = readBlock(block, () => permittedFrom(view, start));
    if (someRecords === undefined) return [];
    records.push(...someRecords);
  }
  return records;
}

function permittedFrom(view: BlockView, start: number): readonly LoggedRecord[] {
  return view.permits.slice(start, start + RECORDS_AT_ONCE).flatMap((audience, index) => {
    const record = audience === null ? undefined : view.record(start + index);
    return record?.verdict === 'ALLOW' ? [withoutSubject(record)] : [];
  });
}

/** Removes the subject, because a log entry can never be changed, but a subject can be erased. */
function withoutSubject(record: VerdictRecord): LoggedRecord {
  const { subject_erased: _, ...loggedFields } = loggedRecord(record);
  return { ...loggedFields, subject: null };
}
