/** Makes the leaves of a block: one of its bytes, and one of each verdict with a permit. */
import { formatInstant } from '../../base/values/instant.ts';
import { type BlockView, openBlock } from '../../blocks/index.ts';
import { type LoggedRecord, loggedRecord } from '../../log-tree/entries.ts';
import { hashing } from '../../platform/index.ts';
import type { Block } from '../../ports/journal.ts';
import type { VerdictRecord } from '../../records.ts';
import type { ReadBlock } from '../journal/damage.ts';
import type { Leaf } from './grow.ts';

/** Returns the name of a block in a log. */
export function blockSubject({ writer, seq }: Pick<Block, 'writer' | 'seq'>): string {
  return `${writer}.${seq}`;
}

/** Returns the leaves of a block, each with the position of its writer. A damaged block has a leaf like every other. */
export function leavesOf(block: Block, readBlock: ReadBlock): readonly Leaf[] {
  const { writer, seq, records, denied, from_ms, to_ms } = block;
  // Without the texts that can be erased, which no leaf covers.
  const view = readBlock(block, () => openBlock(block.data));
  const permitted = view === undefined ? [] : (readBlock(block, () => permittedIn(view)) ?? []);
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
        content: { kind: 'verdict', record: withoutSubject(record) },
        subject: record.decision_id,
        position: [writer, [seq, at + 1]],
      }),
    ),
  ];
}

function permittedIn(view: BlockView): readonly VerdictRecord[] {
  return view.permits.flatMap((audience, place) => {
    const record = audience === null ? undefined : view.record(place);
    return record?.verdict === 'ALLOW' ? [record] : [];
  });
}

/** Leaves out the subject: the text of an entry stays, and a subject can be erased. */
function withoutSubject(record: VerdictRecord): LoggedRecord {
  const { subject_erased: _, ...logged } = loggedRecord(record);
  return { ...logged, subject: null };
}
