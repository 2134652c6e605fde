/** A block of the journal as a row; reads its header alone or the whole block. */
import { type RawBuilder, sql } from 'kysely';
import type { Block, BlockHeader, BlockName } from '../../../../src/ports/index.ts';
import { isSqlText, type SqlRow, toInteger } from '../rows.ts';
import { blocksTable } from '../tables.ts';

/** The columns of a header. */
export const headerColumns: RawBuilder<unknown> = sql.raw(blocksTable.header.join(', '));

/** The columns of a block, of the table `b`; NULL for no bytes, because `libsql` crashes the process on an empty value. */
export const blockColumns: RawBuilder<unknown> = sql.raw(
  [
    ...blocksTable.header.map((column) => `b.${column}`),
    ...blocksTable.bytes.map(
      (column) => `case when length(b.${column}) > 0 then b.${column} end as ${column}`,
    ),
  ].join(', '),
);

/** The header in a row. */
export function toHeader(row: SqlRow): BlockHeader {
  return {
    ...toName(row),
    from_ms: toInteger(row['from_ms']),
    to_ms: toInteger(row['to_ms']),
    records: toInteger(row['records']),
    denied: toInteger(row['denied']),
    flags: toInteger(row['flags']),
  };
}

/** The name of the block in a row. */
export function toName(row: SqlRow): BlockName {
  return { writer: String(row['writer']), seq: toInteger(row['seq']), account_id: String(row['account_id']) };
}

/** The block in a row. */
export function toBlock(row: SqlRow): Block {
  return { ...toHeader(row), filter: toBytes(row['filter']), data: toBytes(row['data']) };
}

/** The unique name of a block as text. */
export function nameOf({ writer, seq, account_id }: BlockName): string {
  return JSON.stringify([writer, seq, account_id]);
}

/** The parameters of a statement that stores blocks: their header values as JSON, and all bytes concatenated. */
export interface PackedBlocks {
  readonly json: string;
  readonly bytes: Buffer;
}

/** The most that a statement takes: more would take too long to send to a slow server. */
const MAX_BYTES = 1_048_576;

/**
 * Blocks in groups of limited size, the bytes of each group as one value: drivers would write an array of bytes as text
 * of twice its length. Throws a TypeError for what the table cannot hold.
 */
export function packBlocks(blocks: readonly Block[], perStatement: number): readonly PackedBlocks[] {
  const groups: Block[][] = [];
  let group: Block[] = [];
  let size = 0;
  for (const block of blocks) {
    const length = block.filter.length + block.data.length;
    if (group.length === perStatement || (group.length > 0 && size + length > MAX_BYTES)) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(block);
    size += length;
  }
  if (group.length > 0) groups.push(group);
  return groups.map(pack);
}

function pack(blocks: readonly Block[]): PackedBlocks {
  let at = 1;
  const rows = blocks.map((block) => {
    const dataAt = at + block.filter.length;
    const row = [...headerValues(block), at, block.filter.length, dataAt, block.data.length];
    at = dataAt + block.data.length;
    return row;
  });
  const bytes = Buffer.concat(blocks.flatMap(({ filter, data }) => [filter, data]));
  return { json: JSON.stringify(rows), bytes };
}

const TEXTS: readonly string[] = ['writer', 'account_id'];

function headerValues(block: Block): readonly (string | number)[] {
  if (block.filter.length === 0) throw misfit('has no filter');
  return blocksTable.header.map((column) => {
    const value: unknown = block[column];
    const fits = TEXTS.includes(column)
      ? typeof value === 'string' && isSqlText(value)
      : Number.isSafeInteger(value);
    if (!fits) throw misfit(`has a ${column} that the column cannot hold`);
    return block[column];
  });
}

function misfit(problem: string): TypeError {
  return new TypeError(`${blocksTable.name} cannot hold this block: it ${problem}.`);
}

/** The bytes as a `Uint8Array`: drivers answer different classes. */
function toBytes(value: unknown): Uint8Array {
  if (value === null) return new Uint8Array(0);
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError('The database answers bytes as something else.');
}
