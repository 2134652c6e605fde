import { type CompiledQuery, type Kysely, sql } from 'kysely';
import {
  type JournalBatch,
  type JournalEntry,
  type RollupDelta,
  rollupStarts,
} from '../../../src/ports/index.ts';
import { type BulkRows, compileBulkInsert, toBulkRows } from './bulk-insert.ts';
import type { SqlDialect } from './dialect.ts';
import type { Marker } from './marker.ts';
import { isSqlText, recordWriter, type SqlTables, type SqlValue } from './rows.ts';
import { bind } from './statements.ts';
import { countersTable, reasonCodesColumn, rollupsTable, verdictsTable } from './tables.ts';
import { transact } from './transaction.ts';
import { affectedRows } from './write-steps.ts';

/** The first columns of the rollups: their resolution and their start. */
const SHARED = 2;

/** Gives the minute of a delta, and then its values as the rollups have them behind the shared ones. */
const toDeltaValues = recordWriter({
  ...rollupsTable,
  columns: { minute: 'text', ...Object.fromEntries(Object.entries(rollupsTable.columns).slice(SHARED)) },
});

const toVerdictValues = recordWriter(verdictsTable);

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
  const insertVerdicts = compileBulkInsert(kysely, dialect, {
    table: verdictsTable.name,
    columns: { ...verdictsTable.columns, [reasonCodesColumn]: 'text' },
    onConflict: 'on conflict (id) do nothing',
  });
  const rollupColumns = Object.keys(rollupsTable.columns);
  const addRollups = compileBulkInsert(kysely, dialect, {
    table: rollupsTable.name,
    columns: rollupsTable.columns,
    shared: SHARED,
    onConflict: `on conflict (${rollupColumns.slice(0, -1).join(', ')})
      do update set count = ${rollupsTable.name}.count + excluded.count`,
  });

  return async ({ id, at, entries, rollups }) => {
    if (!isSqlText(id)) throw new TypeError('The id of a batch holds U+0000 or a lone surrogate.');
    const end = new Date(Date.parse(at) + BATCH_LIFETIME_MS).toISOString();
    const claimBatch = bind(claim, [`batch:${id}`, 1n, end, at]);
    // Everybody takes rows in the same order, so that no two batches wait for each other.
    const verdictRows = toBulkRows([...entries].sort(byId).map(toVerdictRow), dialect.bulkRows);
    const rollupGroups = toRollupGroups(rollups, dialect.bulkRows);
    const body = async (connection: Kysely<SqlTables>): Promise<boolean> => {
      if ((await affectedRows(connection, claimBatch)) === 0n) return false;
      await insertVerdicts(connection, verdictRows);
      for (const { shared, rows } of rollupGroups) await addRollups(connection, rows, shared);
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
  return [...toVerdictValues(entry), toReasonCodes(entry.reasons.map(({ code }) => code))];
}

/** What is to be added to the rollups of one start. */
interface RollupGroup {
  /** The resolution and the start. */
  readonly shared: readonly [resolution: string, start: string];
  readonly rows: BulkRows;
}

/** In the order of the key. Starts that hold the same minutes have the same rows: nearly always all three. */
function toRollupGroups(deltas: readonly RollupDelta[], perStatement: number): readonly RollupGroup[] {
  const starts = new Map<string, { readonly shared: RollupGroup['shared']; readonly minutes: string[] }>();
  for (const minute of new Set(deltas.map((delta) => delta.minute))) {
    for (const shared of Object.entries(rollupStarts(minute))) {
      const name = shared.join(' ');
      const start = starts.get(name) ?? { shared, minutes: [] };
      starts.set(name, start);
      start.minutes.push(minute);
    }
  }
  const known = new Map<string, BulkRows>();
  return [...starts].sort(byKey).map(([, { shared, minutes }]) => {
    const name = minutes.join(' ');
    const summedUp = (): SqlValue[][] => sumUp(deltas.filter(({ minute }) => minutes.includes(minute)));
    const rows = known.get(name) ?? toBulkRows(summedUp(), perStatement);
    known.set(name, rows);
    return { shared, rows };
  });
}

/** One row for all deltas of the same names: a statement may touch a row once. In the order of the key. */
function sumUp(deltas: readonly RollupDelta[]): SqlValue[][] {
  const rows = new Map<string, { readonly names: readonly SqlValue[]; sum: bigint }>();
  for (const delta of deltas) {
    const names = toDeltaValues(delta).slice(1, -1);
    const key = names.join('\0');
    const row = rows.get(key) ?? { names, sum: 0n };
    rows.set(key, row);
    row.sum += BigInt(delta.count);
  }
  return [...rows].sort(byKey).map(([, { names, sum }]) => [...names, sum]);
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
