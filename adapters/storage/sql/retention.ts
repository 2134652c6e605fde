import { type Kysely, sql } from 'kysely';
import {
  type Instant,
  isExpiring,
  MARK_INTERVAL_MS,
  type Purgeable,
  purgeBound,
  RESOLUTION_MS,
  raisedMark,
  type StoreTime,
} from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { IDENTITY_NAME, type StoreIdentity } from './identity.ts';
import { purgeBlocks } from './journal/remove-blocks.ts';
import type { SqlTables } from './rows.ts';
import { countersTable, metaTable, rollupsTable, tables, writersTable } from './tables.ts';
import { transact } from './transaction.ts';

export interface Retention {
  /**
   * Returns the time of the database's clock. Without a clock, returns the stored time, raised to `present`. If
   * `isTrusted` is set, the stored time becomes `present`.
   */
  time(present: Instant, isTrusted?: boolean): Promise<StoreTime>;
  /**
   * Removes records that are older than `cutoff`. If `present` is ahead of the time of the database, `cutoff`
   * is moved back by the difference. Returns the number of removed records.
   */
  purge(purgeable: Purgeable, cutoff: Instant, present: Instant): Promise<number>;
  removedUntil(): Promise<Instant | undefined>;
}

export interface RetentionParts {
  readonly kysely: Kysely<SqlTables>;
  readonly reader: Kysely<SqlTables>;
  readonly dialect: SqlDialect;
  readonly identity: StoreIdentity;
}

/** The name of the row in `ais_meta` with the stored time of a database without a clock. */
export const CLOCK_MARK = 'clock_mark';
const REMOVED_UNTIL: Readonly<Partial<Record<Purgeable, string>>> = {
  verdicts: 'verdicts_removed_until',
  rollups: 'rollups_removed_until',
};

export function createRetention({ kysely, reader, dialect, identity }: RetentionParts): Retention {
  const clock = sql.raw(dialect.clockMs ?? 'null');

  async function readTime(
    connection: Kysely<SqlTables>,
  ): Promise<{ readonly clock: Instant | undefined; readonly mark: Instant | undefined }> {
    const query = sql<{ name: string; value: string; clock_ms: unknown }>`
      select name, value, ${clock} as clock_ms from ${sql.table(metaTable)}
      where name in (${IDENTITY_NAME}, ${CLOCK_MARK})`;
    const { rows } = await query.execute(connection);
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    identity.assertOpened(values.get(IDENTITY_NAME));
    const clockMs = rows[0]?.clock_ms ?? null;
    return {
      clock: clockMs === null ? undefined : new Date(Number(clockMs)).toISOString(),
      mark: values.get(CLOCK_MARK),
    };
  }

  async function moveMark(present: Instant, isForced = false): Promise<void> {
    const body = (connection: Kysely<SqlTables>) => store(connection, CLOCK_MARK, present, isForced);
    await transact(kysely, dialect, body, { begin: identity.begin });
  }

  return {
    async time(present, isTrusted = false) {
      const time = await readTime(reader);
      if (time.clock !== undefined) return { at: time.clock, isMark: false };
      if (isTrusted) {
        await moveMark(present, true);
        return { at: present, isMark: true };
      }
      const { mark = present } = time;
      const next = raisedMark(time.mark, present);
      // A mark that is only slightly behind stays, so that most calls write nothing.
      const isDue = time.mark === undefined || Date.parse(next) - Date.parse(mark) >= MARK_INTERVAL_MS;
      // If the database accepts no writes now, the call still returns the time, and the next call raises the mark.
      const isRaised = isDue && (await moveMark(next).then(isDone, isNotDone));
      return { at: isRaised ? next : mark, isMark: true };
    },

    async purge(purgeable, cutoff, present) {
      const body = async (connection: Kysely<SqlTables>): Promise<number> => {
        const { clock: ownText, mark } = await readTime(connection);
        const instant = ownText ?? raisedMark(mark, present);
        if (ownText === undefined && instant !== mark) await store(connection, CLOCK_MARK, instant);
        const purgeLimit = purgeBound(cutoff, present, instant);
        const removedCount =
          purgeable === 'verdicts'
            ? await purgeBlocks(connection, dialect, purgeLimit)
            : await purgeRows(connection, dialect, { what: purgeable, before: purgeLimit });
        const name = REMOVED_UNTIL[purgeable];
        if (removedCount > 0 && name !== undefined) await store(connection, name, purgeLimit);
        return removedCount;
      };
      return transact(kysely, dialect, body, { begin: identity.begin });
    },

    async removedUntil() {
      const names = Object.values(REMOVED_UNTIL);
      const query = reader
        .selectFrom(metaTable)
        .select(['name', 'value'])
        .where('name', 'in', [IDENTITY_NAME, ...names]);
      const rows = await query.execute();
      identity.assertOpened(rows.find(({ name }) => name === IDENTITY_NAME)?.['value']);
      const foundTexts = rows.filter(({ name }) => name !== IDENTITY_NAME).map(({ value }) => String(value));
      return foundTexts.sort().at(-1);
    },
  };
}

/**
 * Stores an instant under a name, unless a later instant is stored there. With `isForced`, it always stores the
 * instant.
 */
async function store(
  connection: Kysely<SqlTables>,
  name: string,
  value: Instant,
  isForced = false,
): Promise<void> {
  await connection
    .insertInto(metaTable)
    .values({ name, value })
    .onConflict((conflict) => {
      const update = conflict.column('name').doUpdateSet({ value: sql`excluded.value` });
      return isForced
        ? update
        : update.where(sql<boolean>`${sql.ref(`${metaTable}.value`)} < excluded.value`);
    })
    .execute();
}

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;

interface Target {
  readonly table: string;
  readonly key: readonly string[];
  readonly age: string;
  readonly only?: string;
  /** The column before `age` in the index, with all its possible values. */
  readonly behind?: { readonly column: string; readonly values: readonly string[] };
}

type PurgedRows = Exclude<Purgeable, 'verdicts'>;

const fixedTargets: Readonly<Record<string, Target>> = {
  counters: { table: countersTable, key: ['id'], age: 'expires_at' },
  rollups: {
    table: rollupsTable.name,
    key: Object.keys(rollupsTable.columns).slice(0, -1),
    age: 'start',
    behind: { column: 'resolution', values: Object.keys(RESOLUTION_MS) },
  },
  // Few: each is removed a day after it was used.
  writers: { table: writersTable.name, key: ['id'], age: 'seen_at', only: 'and merged >= flushed' },
};

function targetOf(purgedRows: PurgedRows): Target {
  if (isExpiring(purgedRows)) return { table: tables[purgedRows].name, key: ['id'], age: 'expires_at' };
  const target = fixedTargets[purgedRows];
  if (target === undefined) throw new TypeError(`${purgedRows} cannot be purged.`);
  return target;
}

/**
 * Removes rows that are older than `before` in one statement, and returns their number. A row that another process has
 * locked stays until the next purge, because the process may be renewing it.
 */
async function purgeRows(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  { what, before }: { readonly what: PurgedRows; readonly before: string },
): Promise<number> {
  const { table, key, age, only = '', behind } = targetOf(what);
  const amongSql = behind && sql`${sql.ref(behind.column)} in (${sql.join(behind.values)}) and`;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  // Materialized, because PostgreSQL may run a plain subquery for each row, with a different result each time.
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      with old as materialized (
        select ${columns} from ${sql.table(table)} where ${amongSql ?? sql``} ${sql.ref(age)} < ${before} ${sql.raw(only)} limit ${BigInt(dialect.purgeRows)}
        ${sql.raw(dialect.lockFreeRows)}
      )
      select ${columns} from old
    )`.execute(kysely);
  return Number(numAffectedRows);
}
