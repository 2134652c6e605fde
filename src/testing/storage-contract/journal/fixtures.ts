import {
  type Block,
  type BlockHeader,
  type BlockName,
  type BlocksQuery,
  type FlushResult,
  type JournalFlush,
  type JournalMerge,
  MAX_LISTED_BLOCKS,
  type RollupDelta,
} from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assert, assertEqual } from '../assertions.ts';
import { instant, NOW } from '../fixtures.ts';

export const NOW_MS: number = Date.parse(NOW);

export function writerId(start: string): string {
  return start.padEnd(18, '0');
}

export const WRITER: string = writerId('Writer');

/** Returns bytes that look random but are always the same for the same text. */
export function bytesOf(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (const sign of text) state = (Math.imul(state, 31) + (sign.codePointAt(0) ?? 0)) >>> 0;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

export function block(seq: number, fields: Partial<Block> = {}): Block {
  const name = { writer: WRITER, seq, account_id: 'acc_a', ...fields };
  return {
    from_ms: fields.to_ms ?? NOW_MS,
    to_ms: NOW_MS,
    records: 1,
    denied: 0,
    flags: 1,
    erased: 0,
    filter: new Uint8Array(32),
    data: bytesOf(`${name.writer}.${seq}.${name.account_id}`, 40),
    ...name,
  };
}

export function headerOf({
  filter: _filter,
  data: _data,
  erasable: _erasable,
  ...header
}: Block): BlockHeader {
  return header;
}

export function nameOf({ writer, seq, account_id }: BlockName): BlockName {
  return { writer, seq, account_id };
}

export function flush(
  seq: number,
  blocks: readonly Block[],
  fields: Partial<JournalFlush> = {},
): JournalFlush {
  return { writer: WRITER, seq, at: NOW, blocks, ...fields };
}

export function merge(from: number, to: number, fields: Partial<JournalMerge> = {}): JournalMerge {
  return { writer: WRITER, from, to, at: NOW, rollups: [], ...fields };
}

/**
 * Creates an increment of the verdicts with this `key`, in the minute of `NOW`. The empty `agent_id` stands for all
 * agents together.
 */
export function delta(key: string, count: number, fields: Partial<RollupDelta> = {}): RollupDelta {
  return {
    account_id: 'acc_a',
    environment: 'live',
    minute: NOW,
    agent_id: '',
    kind: 'verdict',
    key,
    count,
    ...fields,
  };
}

export async function opened(storage: StorageAdapter, ...writers: readonly string[]): Promise<void> {
  for (const writer of writers.length === 0 ? [WRITER] : writers) {
    assertEqual(await storage.journal.open(writer, NOW), true, `the opening of ${writer}`);
  }
}

export async function files(
  storage: StorageAdapter,
  given: JournalFlush,
  expected: FlushResult = 'filed',
): Promise<void> {
  assertEqual(
    await storage.journal.file(given),
    expected,
    `the flush ${given.seq} of ${JSON.stringify(given.writer)}`,
  );
}

/** Stores each block in its own flush, in this order. The writers must be registered. */
export async function filesEach(storage: StorageAdapter, blocks: readonly Block[]): Promise<void> {
  for (const given of blocks) await files(storage, flush(given.seq, [given], { writer: given.writer }));
}

export async function merges(storage: StorageAdapter, given: JournalMerge): Promise<void> {
  assertEqual(
    await storage.journal.merge(given),
    true,
    `the merge of ${given.from} to ${given.to} of ${given.writer}`,
  );
}

export async function addsRollups(
  storage: StorageAdapter,
  writer: string,
  rollups: readonly RollupDelta[],
): Promise<void> {
  await opened(storage, writer);
  await files(storage, flush(1, [], { writer }));
  await merges(storage, merge(0, 1, { writer, rollups }));
}

export async function filesMerged(storage: StorageAdapter, given: Block, at: string): Promise<void> {
  const { writer, seq } = given;
  assertEqual(await storage.journal.open(writer, at), true, `the opening of ${writer}`);
  await files(storage, flush(seq, [given], { writer, at }));
  await merges(storage, merge(0, seq, { writer, at }));
}

export async function readBlocks(
  storage: StorageAdapter,
  query: Partial<BlocksQuery> = {},
  between: () => Promise<void> = async () => {},
): Promise<readonly BlockHeader[]> {
  const found: BlockHeader[] = [];
  const limit = query.limit ?? MAX_LISTED_BLOCKS;
  for (let after = query.after; ; ) {
    const page = await storage.journal.blocks({
      account_id: 'acc_a',
      ...query,
      limit,
      ...(after !== undefined && { after }),
    });
    assert(page.length <= limit, `a page of ${page.length} blocks where ${limit} were asked for`);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return found;
    assert(found.length < 100_000, 'the pages do not end');
    after = { to_ms: last.to_ms, writer: last.writer, seq: last.seq };
    await between();
  }
}

export async function lists(
  storage: StorageAdapter,
  query: Partial<BlocksQuery>,
  expected: readonly Block[],
): Promise<void> {
  assertEqual(
    await readBlocks(storage, query),
    expected.map(headerOf),
    `the blocks of ${JSON.stringify(query)}`,
  );
}

export async function loads(storage: StorageAdapter, expected: readonly Block[]): Promise<void> {
  assertEqual(await storage.journal.load(expected.map(nameOf)), expected, 'the blocks that were loaded');
}

export async function writerHas(
  storage: StorageAdapter,
  flushed: number,
  merged: number,
  writer: string = WRITER,
): Promise<void> {
  const found = (await storage.journal.writers()).find(({ id }) => id === writer);
  assertEqual(
    { flushed: found?.flushed, merged: found?.merged },
    { flushed, merged },
    `the writer ${writer}`,
  );
}

export const LATER: string = instant(5);
