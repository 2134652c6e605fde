/** Reads the content of the journal of a storage, without the service. */
import { formatInstant } from '../../src/base/values/instant.ts';
import { openBlock, packRecords, type SealedBlock } from '../../src/journal-format/index.ts';
import {
  type Block,
  type BlockHeader,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
  type RollupSum,
  type StorageAdapter,
  type SumsPart,
} from '../../src/ports/index.ts';
import type { VerdictRecord } from '../../src/records.ts';

type Stored = Pick<StorageAdapter, 'journal'>;

/** The blocks of an account, the latest first. */
async function blocksIn({ journal }: Stored, account_id: string): Promise<readonly Block[]> {
  const headers: BlockHeader[] = [];
  for (let isOver = false; !isOver; ) {
    const after = headers.at(-1);
    const page = await journal.blocks({ account_id, limit: MAX_LISTED_BLOCKS, ...(after && { after }) });
    headers.push(...page);
    isOver = page.length < MAX_LISTED_BLOCKS;
  }
  const blocks: Block[] = [];
  for (let from = 0; from < headers.length; from += MAX_LOADED_BLOCKS) {
    for (const block of await journal.load(headers.slice(from, from + MAX_LOADED_BLOCKS))) {
      if (block === undefined) throw new Error('A block is gone.');
      blocks.push(block);
    }
  }
  return blocks;
}

/** The records of an account, newest first. */
export async function recordsIn(storage: Stored, account_id: string): Promise<readonly VerdictRecord[]> {
  const records = recordsOf(await blocksIn(storage, account_id));
  const key = ({ evaluated_at, decision_id }: VerdictRecord) => `${evaluated_at} ${decision_id}`;
  return records.sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** The records in some blocks. */
export function recordsOf(blocks: readonly Block[]): VerdictRecord[] {
  return blocks.flatMap(({ data, erasable }) => {
    const view = openBlock(data, erasable);
    return Array.from({ length: view.length }, (_, place) => view.record(place));
  });
}

/** Returns the rollups of one part, without blocks that are not merged. */
export async function rollupsIn(
  { journal }: Stored,
  account_id: string,
  part: Partial<SumsPart> & Pick<SumsPart, 'kinds'>,
  agent_id = '',
): Promise<readonly RollupSum[]> {
  const all = {
    resolution: 'day',
    from: '0000-01-01T00:00:00.000Z',
    to: '9999-12-31T00:00:00.000Z',
  } as const;
  const parts = [{ ...all, byStart: false, ...part }];
  const { parts: sums } = await journal.sums({ account_id, environment: 'live', agent_id, parts });
  return sums[0] ?? [];
}

/** Files blocks as separate writers would, and counts none of them. */
export async function fileBlocks(
  { journal }: Stored,
  account_id: string,
  blocks: readonly SealedBlock[],
): Promise<readonly Block[]> {
  const filed: Block[] = [];
  for (const sealed of blocks) {
    writers += 1;
    const block = { ...sealed, writer: `Support${String(writers).padStart(11, '0')}`, seq: 1, account_id };
    const at = formatInstant(block.to_ms);
    await journal.open(block.writer, at);
    const result = await journal.file({ writer: block.writer, seq: 1, at, blocks: [block] });
    if (result !== 'filed') throw new Error(`A block is ${result}.`);
    filed.push(block);
  }
  return filed;
}

/** Files records in as few blocks as hold them; they come in the order of their time. */
export function fileRecords(
  storage: Stored,
  account_id: string,
  records: readonly VerdictRecord[],
): Promise<readonly Block[]> {
  return fileBlocks(storage, account_id, packRecords(records.map((record) => ({ record, bucket: 3 }))));
}

let writers = 0;
