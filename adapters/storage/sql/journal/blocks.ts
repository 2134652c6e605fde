/** Converts blocks of the journal to rows, and rows to blocks or headers. */
import { type RawBuilder, sql } from 'kysely';
import type { Block, BlockHeader, BlockName } from '../../../../src/ports/index.ts';
import { isSqlText, type SqlRow, toInteger } from '../rows.ts';
import { blocksTable } from '../tables.ts';

export const headerColumns: RawBuilder<unknown> = sql.raw(blocksTable.header.join(', '));

/** The columns of a block in the table `b`. Empty bytes become NULL, because `libsql` crashes on an empty value. */
export const blockColumns: RawBuilder<unknown> = sql.raw(
  [
    ...blocksTable.header.map((column) => `b.${column}`),
    ...blocksTable.bytes.map(
      (column) => `case when length(b.${column}) > 0 then b.${column} end as ${column}`,
    ),
  ].join(', '),
);

export function toHeader(row: SqlRow): BlockHeader {
  return {
    ...toName(row),
    from_ms: toInteger(row['from_ms']),
    to_ms: toInteger(row['to_ms']),
    records: toInteger(row['records']),
    denied: toInteger(row['denied']),
    flags: toInteger(row['flags']),
    erased: toInteger(row['erased']),
  };
}

export function toName(row: SqlRow): BlockName {
  return { writer: String(row['writer']), seq: toInteger(row['seq']), account_id: String(row['account_id']) };
}

export function toBlock(row: SqlRow): Block {
  const block = { ...toHeader(row), filter: toBytes(row['filter']), data: toBytes(row['data']) };
  const erasable = toBytes(row['erasable']);
  return erasable.length === 0 ? block : { ...block, erasable };
}

export function nameOf({ writer, seq, account_id }: BlockName): string {
  return JSON.stringify([writer, seq, account_id]);
}

/** The parameters of a statement that stores blocks. The header values are JSON, and all bytes are concatenated. */
export interface PackedBlocks {
  readonly json: string;
  readonly bytes: Buffer;
}

/** The maximum size of a statement in bytes. A larger statement takes too long to send to a slow server. */
const MAX_BYTES = 1_048_576;

/**
 * Packs blocks into groups of limited size. The bytes of a group are one value, because drivers encode a list of byte
 * values as text of twice the length. Throws a TypeError for a block that the table cannot store.
 */
export function packBlocks(blocks: readonly Block[], perStatement: number): readonly PackedBlocks[] {
  const groups: Block[][] = [];
  let group: Block[] = [];
  let size = 0;
  for (const block of blocks) {
    const length = bytesOf(block).reduce((sum, bytes) => sum + bytes.length, 0);
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
  let position = 1;
  const rows = blocks.map((block) => {
    const places = bytesOf(block).flatMap((bytes) => {
      const place = [position, bytes.length];
      position += bytes.length;
      return place;
    });
    return [...headerValues(block), ...places];
  });
  const bytes = Buffer.concat(blocks.flatMap(bytesOf));
  return { json: JSON.stringify(rows), bytes };
}

const NO_BYTES = new Uint8Array(0);

function bytesOf({ filter, data, erasable = NO_BYTES }: Block): readonly Uint8Array[] {
  return [filter, data, erasable];
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

/** Converts bytes to a `Uint8Array`, because drivers return different classes. */
function toBytes(value: unknown): Uint8Array {
  if (value === null) return new Uint8Array(0);
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError('The database answers bytes as something else.');
}
