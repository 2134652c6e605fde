import { type Kysely, sql } from 'kysely';
import {
  type Instant,
  MARK_INTERVAL_MS,
  type Purgeable,
  purgeHorizon,
  raisedMark,
  type StoreTime,
} from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { purgeBlocks } from './journal/remove-blocks.ts';
import { MARKER_NAME, type Marker } from './marker.ts';
import { purgeRows } from './purge.ts';
import type { SqlTables } from './rows.ts';
import { metaTable } from './tables.ts';
import { transact } from './transaction.ts';

/** The time of a database, and up to when records have been removed. */
export interface Horizon {
  /** The time of its clock; without one the mark, raised by `present`, or set to it where that is trusted. */
  time(present: Instant, isTrusted?: boolean): Promise<StoreTime>;
  /** Removes records up to `before`, as far as the time of the database allows it at this present; their number. */
  purge(what: Purgeable, before: Instant, present: Instant): Promise<number>;
  /** Up to when verdicts or rollups have been removed, by any process; `undefined`: none was. */
  removedUntil(): Promise<Instant | undefined>;
}

/** Where the records are. */
export interface HorizonParts {
  readonly kysely: Kysely<SqlTables>;
  readonly reader: Kysely<SqlTables>;
  readonly dialect: SqlDialect;
  readonly marker: Marker;
}

/** Under which name the mark of a database without a clock is kept, in the table of the marker. */
export const CLOCK_MARK = 'clock_mark';
const REMOVED_UNTIL: Readonly<Partial<Record<Purgeable, string>>> = {
  verdicts: 'verdicts_removed_until',
  rollups: 'rollups_removed_until',
};

/** The horizon of a database that is ready. */
export function createHorizon({ kysely, reader, dialect, marker }: HorizonParts): Horizon {
  const clock = sql.raw(dialect.clockMs ?? 'null');

  /** The clock and the mark, read in the database of the marker. */
  async function readTime(
    connection: Kysely<SqlTables>,
  ): Promise<{ readonly clock: Instant | undefined; readonly mark: Instant | undefined }> {
    const query = sql<{ name: string; value: string; clock_ms: unknown }>`
      select name, value, ${clock} as clock_ms from ${sql.table(metaTable)}
      where name in (${MARKER_NAME}, ${CLOCK_MARK})`;
    const { rows } = await query.execute(connection);
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    marker.assertOpened(values.get(MARKER_NAME));
    const clockMs = rows[0]?.clock_ms ?? null;
    return {
      clock: clockMs === null ? undefined : new Date(Number(clockMs)).toISOString(),
      mark: values.get(CLOCK_MARK),
    };
  }

  async function moveMark(present: Instant, isForced = false): Promise<void> {
    const body = (connection: Kysely<SqlTables>) => store(connection, CLOCK_MARK, present, isForced);
    await transact(kysely, dialect, body, { begin: marker.begin });
  }

  return {
    async time(present, isTrusted = false) {
      const known = await readTime(reader);
      if (known.clock !== undefined) return { at: known.clock, isMark: false };
      if (isTrusted) {
        await moveMark(present, true);
        return { at: present, isMark: true };
      }
      const { mark = present } = known;
      const next = raisedMark(known.mark, present);
      // A mark that is only a little behind stays as it is, so that most reads write nothing.
      const isDue = known.mark === undefined || Date.parse(next) - Date.parse(mark) >= MARK_INTERVAL_MS;
      // A database that accepts no writes now still answers with its time: the next call raises the mark.
      const isRaised = isDue && (await moveMark(next).then(isDone, isNotDone));
      return { at: isRaised ? next : mark, isMark: true };
    },

    async purge(what, before, present) {
      const body = async (connection: Kysely<SqlTables>): Promise<number> => {
        const { clock: own, mark } = await readTime(connection);
        const at = own ?? raisedMark(mark, present);
        if (own === undefined && at !== mark) await store(connection, CLOCK_MARK, at);
        const horizon = purgeHorizon(before, present, at);
        const removed =
          what === 'verdicts'
            ? await purgeBlocks(connection, dialect, horizon)
            : await purgeRows(connection, dialect, { what, before: horizon });
        const name = REMOVED_UNTIL[what];
        if (removed > 0 && name !== undefined) await store(connection, name, horizon);
        return removed;
      };
      return transact(kysely, dialect, body, { begin: marker.begin });
    },

    async removedUntil() {
      const names = Object.values(REMOVED_UNTIL);
      const query = reader
        .selectFrom(metaTable)
        .select(['name', 'value'])
        .where('name', 'in', [MARKER_NAME, ...names]);
      const rows = await query.execute();
      marker.assertOpened(rows.find(({ name }) => name === MARKER_NAME)?.['value']);
      const found = rows.filter(({ name }) => name !== MARKER_NAME).map(({ value }) => String(value));
      return found.sort().at(-1);
    },
  };
}

/** Stores an instant under a name, unless a later one is stored; with `isForced` always. */
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
