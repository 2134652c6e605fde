import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { type JournalBatch, type JournalEntry, type RollupDelta, rollupStarts } from '../../../src/index.ts';
import { compileBulkInsert } from './bulk-insert.ts';
import type { SqlDialect } from './dialect.ts';
import type { Marker } from './marker.ts';
import { isSqlText, type SqlTables, type SqlValue, toValues } from './rows.ts';
import { bind } from './statements.ts';
import { countersTable, reasonCodesColumn, rollupsTable, verdictsTable } from './tables.ts';
import { transact } from './transaction.ts';
import { affectedRows } from './write-steps.ts';

/** How long the id of a batch is known. */
const BATCH_LIFETIME_MS = 3_600_000;

/**
 * What stores batches, each in one transaction. It rejects with a TypeError, before anything is written, for
 * what the tables cannot hold.
 */
export function compileAppend(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  marker: Marker,
): (batch: JournalBatch) => Promise<void> {
  const claim = compileClaim(kysely);
  const insertVerdicts = compileBulkInsert(kysely, {
    table: verdictsTable.name,
    columns: [...Object.keys(verdictsTable.columns), reasonCodesColumn],
    onConflict: 'on conflict (id) do nothing',
  });
  const rollupColumns = Object.keys(rollupsTable.columns);
  const addRollups = compileBulkInsert(kysely, {
    table: rollupsTable.name,
    columns: rollupColumns,
    onConflict: `on conflict (${rollupColumns.slice(0, -1).join(', ')})
      do update set count = ${rollupsTable.name}.count + excluded.count`,
  });

  return async ({ id, at, entries, rollups }) => {
    if (!isSqlText(id)) throw new TypeError('The id of a batch holds U+0000 or a lone surrogate.');
    const end = new Date(Date.parse(at) + BATCH_LIFETIME_MS).toISOString();
    const claimBatch = bind(claim, [`batch:${id}`, 1n, end, at]);
    // Everybody takes rows in the same order, so that no two batches wait for each other.
    const verdictRows = [...entries].sort(byId).map(toVerdictRow);
    const rollupRows = toRollupRows(rollups);
    const body = async (connection: Kysely<SqlTables>): Promise<boolean> => {
      if ((await affectedRows(connection, claimBatch)) === 0n) return false;
      await insertVerdicts(connection, verdictRows);
      await addRollups(connection, rollupRows);
      return true;
    };
    await transact(kysely, dialect, body, { begin: marker.begin, keep: (isNew) => isNew });
  };
}

/** The codes as they are looked for: each between commas, none with a comma in it. */
export function toReasonCodes(codes: readonly string[]): string {
  return codes.length === 0 ? '' : `,${codes.map(encodeURIComponent).join(',')},`;
}

/** Takes the counter of a batch, 1, its end, and the present; affects no row when the batch is known. */
function compileClaim(kysely: Kysely<SqlTables>): CompiledQuery {
  return kysely
    .insertInto(countersTable)
    .values({ id: '', value: 1n, expires_at: '' })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ expires_at: sql`excluded.expires_at` })
        .where(`${countersTable}.expires_at`, '<=', ''),
    )
    .compile();
}

function byId(a: JournalEntry, b: JournalEntry): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function toVerdictRow(entry: JournalEntry): readonly SqlValue[] {
  return [...toValues(verdictsTable, entry), toReasonCodes(entry.reasons.map(({ code }) => code))];
}

/** The rows, one for all deltas of the same coordinates: a statement may touch a row once. In the order of the key. */
function toRollupRows(deltas: readonly RollupDelta[]): readonly (readonly SqlValue[])[] {
  const sums = new Map<string, number>();
  const coordinates = new Map<string, readonly SqlValue[]>();
  for (const { minute, ...delta } of deltas) {
    for (const [resolution, start] of Object.entries(rollupStarts(minute))) {
      const row = toValues(rollupsTable, { ...delta, resolution, start }).slice(0, -1);
      const key = row.join('\0');
      coordinates.set(key, row);
      sums.set(key, (sums.get(key) ?? 0) + delta.count);
    }
  }
  const ordered = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return ordered.map(([key, sum]) => [...(coordinates.get(key) ?? []), BigInt(sum)]);
}
