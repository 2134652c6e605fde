import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type Block,
  type BlockHeader,
  type BlockName,
  type BlockPlace,
  type BlocksQuery,
  type FiledQuery,
  MAX_BLOCK_SPAN_MS,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
} from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables, toInteger } from '../rows.ts';
import { blocksTable } from '../tables.ts';
import { blockColumns, headerColumns, nameOf, toBlock, toHeader } from './blocks.ts';

const blocks = sql.table(blocksTable.name);

/** The result of one statement. If it reached its limit of rows, it has the last scanned block. */
interface Piece {
  readonly headers: readonly BlockHeader[];
  readonly stop: BlockPlace | undefined;
}

/**
 * Finds the headers of matching blocks. Each statement scans a limited number of rows, so that other statements can run
 * in between.
 */
export async function findBlocks(
  calls: Calls,
  dialect: SqlDialect,
  query: BlocksQuery,
): Promise<readonly BlockHeader[]> {
  assertLimit(query.limit);
  if (!isSqlText(query.account_id) || !isSqlText(query.after?.writer ?? '')) return [];
  const foundHeaders: BlockHeader[] = [];
  let placeAfter = query.after;
  for (;;) {
    const limit = query.limit - foundHeaders.length;
    const next: BlocksQuery = { ...query, limit, ...(placeAfter && { after: placeAfter }) };
    const { headers, stop } = await calls.ask(
      (connection) => findPiece(connection, dialect, next),
      (piece) => piece.headers.length === 0 && piece.stop === undefined,
    );
    foundHeaders.push(...headers);
    if (stop === undefined || foundHeaders.length === query.limit) return foundHeaders;
    placeAfter = stop;
    await setImmediate();
  }
}

async function findPiece(kysely: Kysely<SqlTables>, dialect: SqlDialect, query: BlocksQuery): Promise<Piece> {
  const withinSql = sql.join(boundsOf(query), sql` and `);
  const filters = filtersOf(dialect, query);
  const order = sql`order by to_ms desc, writer desc, seq desc`;
  const limit = BigInt(query.limit);
  if (filters.length === 0) {
    const { rows } = await sql<SqlRow>`
      select ${headerColumns} from ${blocks} where ${withinSql} ${order} limit ${limit}`.execute(kysely);
    return { headers: rows.map(toHeader), stop: undefined };
  }
  // The end of the scan is read first, from the index alone, so that it is known even if no row matches.
  const { rows } = await sql<SqlRow>`
    with stop as materialized (
      select to_ms, writer, seq from ${blocks} where ${withinSql} ${order}
      limit 1 offset ${BigInt(dialect.walkRows - 1)}
    )
    select stop.to_ms as stop_to_ms, stop.writer as stop_writer, stop.seq as stop_seq, page.*
    from (select 1 as one) as always left join stop on true left join (
      select ${headerColumns} from ${blocks}
      where ${withinSql} and to_ms >= coalesce((select to_ms from stop), ${LOWEST_MS})
        and not exists (
          select 1 from stop where (${blocks}.to_ms, ${blocks}.writer, ${blocks}.seq) < (stop.to_ms, stop.writer, stop.seq)
        )
        and ${sql.join(filters, sql` and `)}
      ${order} limit ${limit}
    ) as page on true
    order by page.to_ms desc, page.writer desc, page.seq desc`.execute(kysely);
  const [first] = rows;
  return {
    headers: (first?.['writer'] ?? null) === null ? [] : rows.map(toHeader),
    stop: (first?.['stop_to_ms'] ?? null) === null ? undefined : stopOf(first),
  };
}

const LOWEST_MS = BigInt(Number.MIN_SAFE_INTEGER);

function stopOf(row: SqlRow | undefined): BlockPlace {
  return {
    to_ms: toInteger(row?.['stop_to_ms']),
    writer: String(row?.['stop_writer']),
    seq: toInteger(row?.['stop_seq']),
  };
}

function boundsOf({ account_id, from_ms, upto_ms, after }: BlocksQuery): readonly RawBuilder<unknown>[] {
  const bounds = [sql`account_id = ${account_id}`];
  if (from_ms !== undefined) bounds.push(sql`to_ms >= ${BigInt(from_ms)}`);
  const latest = upto_ms === undefined ? undefined : upto_ms + MAX_BLOCK_SPAN_MS;
  // One condition implies the other, and an index scan uses only one bound.
  if (after !== undefined && (latest === undefined || after.to_ms <= latest)) {
    bounds.push(sql`(to_ms, writer, seq) < (${BigInt(after.to_ms)}, ${after.writer}, ${BigInt(after.seq)})`);
  } else if (latest !== undefined) {
    bounds.push(sql`to_ms <= ${BigInt(latest)}`);
  }
  return bounds;
}

function filtersOf(
  dialect: SqlDialect,
  { upto_ms, verdict, flags, names = [] }: BlocksQuery,
): readonly RawBuilder<unknown>[] {
  const filters: RawBuilder<unknown>[] = [];
  if (upto_ms !== undefined) filters.push(sql`from_ms <= ${BigInt(upto_ms)}`);
  if (verdict === 'DENY') filters.push(sql`denied > 0`);
  if (verdict === 'ALLOW') filters.push(sql`denied < records`);
  if (flags !== undefined) filters.push(sql`(flags & ${BigInt(flags)}) <> 0`);
  for (const hash of new Set(names.flat())) filters.push(dialect.hasBit('filter', hash));
  return filters;
}

export async function listFiled(calls: Calls, query: FiledQuery): Promise<readonly BlockHeader[]> {
  const { writer, from, to, after, limit } = query;
  assertLimit(limit);
  if (!isSqlText(writer) || !isSqlText(after?.account_id ?? '')) return [];
  const bounds = [sql`writer = ${writer}`, sql`seq <= ${BigInt(to)}`];
  if (after === undefined || after.seq <= from) bounds.push(sql`seq > ${BigInt(from)}`);
  else bounds.push(sql`(seq, account_id) > (${BigInt(after.seq)}, ${after.account_id})`);
  const statement = sql<SqlRow>`
    select ${headerColumns} from ${blocks} where ${sql.join(bounds, sql` and `)}
    order by seq, account_id limit ${BigInt(limit)}`;
  return calls.ask(
    async (connection) => (await statement.execute(connection)).rows.map(toHeader),
    (headers) => headers.length === 0,
  );
}

export async function loadBlocks(
  calls: Calls,
  dialect: SqlDialect,
  names: readonly BlockName[],
): Promise<readonly (Block | undefined)[]> {
  if (names.length > MAX_LOADED_BLOCKS)
    throw new RangeError(`At most ${MAX_LOADED_BLOCKS} blocks are loaded at once.`);
  if (names.length === 0) return [];
  const statement = sql<SqlRow>`
    select ${blockColumns} from ${namesOf(dialect, names)}
    join ${blocks} as b on ${isNamed(dialect)}`;
  return calls.ask(
    async (connection) => {
      const { rows } = await statement.execute(connection);
      const blocks = new Map(rows.map(toBlock).map((block) => [nameOf(block), block]));
      return names.map((name) => blocks.get(nameOf(name)));
    },
    (loadedBlocks) => loadedBlocks.includes(undefined),
  );
}

export function namesOf(dialect: SqlDialect, names: readonly BlockName[]): RawBuilder<unknown> {
  const possible = names.filter(({ writer, account_id }) => isSqlText(writer) && isSqlText(account_id));
  return dialect.jsonElements(
    JSON.stringify(possible.map(({ writer, seq, account_id }) => [writer, seq, account_id])),
  );
}

export function isNamed({ integer }: SqlDialect): RawBuilder<boolean> {
  return sql`b.writer = element.value ->> 0 and b.seq = cast(element.value ->> 1 as ${sql.raw(integer)})
    and b.account_id = element.value ->> 2`;
}

function assertLimit(limit: number): void {
  if (limit >= 1 && limit <= MAX_LISTED_BLOCKS) return;
  throw new RangeError(`limit must be 1 to ${MAX_LISTED_BLOCKS}.`);
}
