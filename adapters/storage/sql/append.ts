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

/** The first columns of the rollups: their resolution and their start. */
const SHARED = 2;

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
    const verdictRows = [...entries].sort(byId).map(toVerdictRow);
    const rollupGroups = toRollupGroups(rollups);
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
  return [...toValues(verdictsTable, entry), toReasonCodes(entry.reasons.map(({ code }) => code))];
}

/** The rollups that start together: what is to be added to each, by its names. */
interface RollupGroup {
  /** The resolution and the start. */
  readonly shared: readonly SqlValue[];
  readonly sums: Map<string, { readonly names: readonly SqlValue[]; sum: number }>;
}

/** One row for all deltas of the same coordinates: a statement may touch a row once. In the order of the key. */
function toRollupGroups(
  deltas: readonly RollupDelta[],
): readonly { readonly shared: readonly SqlValue[]; readonly rows: readonly (readonly SqlValue[])[] }[] {
  const groups = new Map<string, RollupGroup>();
  for (const { minute, key, names, count } of deltas.map(toNamed).sort(byKey)) {
    for (const shared of Object.entries(rollupStarts(minute))) {
      const name = shared.join(' ');
      const group = groups.get(name) ?? { shared, sums: new Map() };
      groups.set(name, group);
      const row = group.sums.get(key) ?? { names, sum: 0 };
      group.sums.set(key, row);
      row.sum += count;
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { shared, sums }]) => ({
      shared,
      rows: [...sums.values()].map(({ names, sum }) => [...names, BigInt(sum)]),
    }));
}

interface NamedDelta extends Pick<RollupDelta, 'minute' | 'count'> {
  /** The values of the key but for resolution and start. */
  readonly names: readonly SqlValue[];
  readonly key: string;
}

function toNamed({ minute, ...delta }: RollupDelta): NamedDelta {
  const values = toValues(rollupsTable, { ...delta, resolution: 'minute', start: minute });
  const names = values.slice(SHARED, -1);
  return { minute, names, key: names.join('\0'), count: delta.count };
}

function byKey(a: NamedDelta, b: NamedDelta): number {
  return a.key < b.key ? -1 : 1;
}
