/** Makes the leaves of a block: one of its bytes, and one of each verdict with a permit. */
import { formatInstant } from '../base/values/instant.ts';
import type { ReadBlock } from '../core/journal/damage.ts';
import { type BlockView, openBlock } from '../journal-format/index.ts';
import { hashing } from '../platform/index.ts';
import type { Block } from '../ports/journal.ts';
import type { VerdictRecord } from '../records.ts';
import { type LoggedRecord, loggedRecord } from '../transparency-log/entries.ts';
import type { Leaf } from './grow.ts';

/** Returns the name of a block in a log. */
export function blockSubject({ writer, seq }: Pick<Block, 'writer' | 'seq'>): string {
  return `${writer}.${seq}`;
}

/** The means to read blocks. */
export interface LeafParts {
  readonly readBlock: ReadBlock;
  /** Lets other work run, if this has taken its time. */
  readonly nextSlice: () => Promise<void>;
}

/** The most records that are read in a row: a block of permits takes tens of milliseconds. */
const RECORDS_AT_ONCE = 64;

/** Returns the leaves of a block, each with the position of its writer. A damaged block has a leaf like every other. */
export async function leavesOf(block: Block, parts: LeafParts): Promise<readonly Leaf[]> {
  const { writer, seq, records, denied, from_ms, to_ms } = block;
  // Without the texts that can be erased, which no leaf covers.
  const view = parts.readBlock(block, () => openBlock(block.data));
  const permitted = view === undefined ? [] : await permittedIn(block, view, parts);
  const drops = view?.drops.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const [from, to] = [from_ms, to_ms].map(formatInstant) as [string, string];
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
        permits: permitted.length,
        from,
        to,
        drops,
      },
      subject: name,
      position: [writer, [seq, 0]],
    },
    ...permitted.map(
      (record, at): Leaf => ({
        content: { kind: 'verdict', record },
        subject: record.decision_id,
        position: [writer, [seq, at + 1]],
      }),
    ),
  ];
}

/** Returns the verdicts with a permit; none of a damaged block. */
async function permittedIn(
  block: Block,
  view: BlockView,
  { readBlock, nextSlice }: LeafParts,
): Promise<readonly LoggedRecord[]> {
  const permits = readBlock(block, () => view.permits) ?? [];
  const all: LoggedRecord[] = [];
  for (let from = 0; from < permits.length; from += RECORDS_AT_ONCE) {
    await nextSlice();
    const some = readBlock(block, () => permittedFrom(view, from));
    if (some === undefined) return [];
    all.push(...some);
  }
  return all;
}

function permittedFrom(view: BlockView, from: number): readonly LoggedRecord[] {
  return view.permits.slice(from, from + RECORDS_AT_ONCE).flatMap((audience, at) => {
    const record = audience === null ? undefined : view.record(from + at);
    return record?.verdict === 'ALLOW' ? [withoutSubject(record)] : [];
  });
}

/** Leaves out the subject: the text of an entry stays, and a subject can be erased. */
function withoutSubject(record: VerdictRecord): LoggedRecord {
  const { subject_erased: _, ...logged } = loggedRecord(record);
  return { ...logged, subject: null };
}
