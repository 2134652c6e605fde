import { type Kysely, sql } from 'kysely';
import { IdentityError } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { firstTables } from './migrations/001-first-tables.ts';
import { journalTables } from './migrations/002-journal-tables.ts';
import { databaseMarker } from './migrations/003-marker.ts';
import { clockMark } from './migrations/004-clock-mark.ts';
import { walkIndexes } from './migrations/005-walks.ts';
import { auditColumns } from './migrations/006-audit.ts';
import { journalBlocks } from './migrations/007-journal-blocks.ts';
import { dropVerdictRows, moveVerdicts } from './migrations/008-verdict-rows.ts';
import { eventTable } from './migrations/009-events.ts';
import { signingKeyTable } from './migrations/010-signing-keys.ts';
import { publicKeysColumn } from './migrations/011-public-keys.ts';
import { proofColumn } from './migrations/012-proof.ts';
import { statusSlotTable } from './migrations/013-status-slots.ts';
import { domainProofColumns } from './migrations/014-domain-proof.ts';
import { budgetTables } from './migrations/015-budgets.ts';
import { webhookTables } from './migrations/016-webhooks.ts';
import { parentColumn } from './migrations/017-parents.ts';
import { approvalTable } from './migrations/018-approvals.ts';
import { dueParts } from './migrations/019-due-parts.ts';
import { erasureTable } from './migrations/020-erasures.ts';
import type { SqlTables } from './rows.ts';
import { metaTable } from './tables.ts';
import { transact } from './transaction.ts';

/** A step from the version before to the next. Once released it never changes. */
export interface Migration {
  /**
   * Whether releases that do not know it can go on using the tables: it adds tables, indexes that are not
   * unique, and columns that may be left out, and takes nothing away. Only then can nodes be upgraded one by one.
   */
  readonly additive: boolean;
  /** A part of the work before `run`, in a transaction of its own; repeated until it is done. */
  readonly prepare?: (
    connection: Kysely<SqlTables>,
    dialect: SqlDialect,
  ) => Promise<{ readonly rows: number; readonly isDone: boolean }>;
  readonly run: (kysely: Kysely<SqlTables>, dialect: SqlDialect) => Promise<void>;
}

/** The first leads to version 1, and so on. */
export const allMigrations: readonly Migration[] = [
  { additive: false, run: firstTables },
  { additive: true, run: journalTables },
  { additive: true, run: databaseMarker },
  { additive: true, run: clockMark },
  { additive: true, run: walkIndexes },
  { additive: true, run: auditColumns },
  { additive: true, run: journalBlocks },
  { additive: false, prepare: moveVerdicts, run: dropVerdictRows },
  { additive: true, run: eventTable },
  { additive: true, run: signingKeyTable },
  { additive: true, run: publicKeysColumn },
  { additive: true, run: proofColumn },
  { additive: true, run: statusSlotTable },
  { additive: true, run: domainProofColumns },
  { additive: true, run: budgetTables },
  { additive: true, run: webhookTables },
  { additive: true, run: parentColumn },
  { additive: true, run: approvalTable },
  { additive: true, run: dueParts },
  { additive: true, run: erasureTable },
];

/** The migrations, and the listener for the progress of long ones. */
export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** Is called now and then with a sentence about the progress of a long migration. */
  readonly progress?: ((line: string) => void) | undefined;
}

/** The versions of the tables of a database. */
export interface Schema {
  /** 0 when there are none. */
  readonly version: number;
  /** The lowest version whose release can use them. */
  readonly oldestUsable: number;
}

const VERSION_NAME = 'schema_version';
const OLDEST_USABLE_NAME = 'oldest_usable';

/**
 * Brings the database to the newest version, each step in a transaction of its own; processes that start
 * together take turns. Does not change one that a newer release has made and this one can use; throws
 * `invalid_configuration`, before anything is written, for one that it cannot, or that does not hold every text.
 */
export async function migrate(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  { migrations = allMigrations, progress }: MigrateOptions = {},
): Promise<void> {
  await dialect.assertUnicode(kysely);
  const found = await readSchema(kysely, dialect);
  assertUsable(found, migrations.length);
  for (const index of migrations.keys()) {
    const version = index + 1;
    if (version <= found.version) continue;
    await prepareAll(kysely, dialect, migrations, index, progress);
    await transact(kysely, dialect, async (connection) => {
      await dialect.takeMigrationTurn(connection);
      const schema = await readSchema(connection, dialect);
      assertUsable(schema, migrations.length);
      if (schema.version >= version) return;
      await applyMigration(connection, dialect, index, migrations);
    });
  }
}

/** How often a long migration reports its progress. */
const PROGRESS_MS = 1_000;

async function prepareAll(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  migrations: readonly Migration[],
  index: number,
  progress: MigrateOptions['progress'],
): Promise<void> {
  const prepare = migrations[index]?.prepare;
  if (prepare === undefined) return;
  let saidAt = performance.now();
  for (let isDone = false; !isDone; ) {
    const piece = await transact(kysely, dialect, async (connection) => {
      await dialect.takeMigrationTurn(connection);
      const { version } = await readSchema(connection, dialect);
      return version === index ? prepare(connection, dialect) : { rows: 0, isDone: true };
    });
    isDone = piece.isDone;
    if (piece.rows === 0 || (!isDone && performance.now() - saidAt < PROGRESS_MS)) continue;
    progress?.(`Schema version ${index + 1}: ${piece.rows} rows are moved${isDone ? '.' : ' so far.'}`);
    saidAt = performance.now();
  }
}

/** Runs the migration at that index, and stores the new version. */
export async function applyMigration(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  index: number,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  await migrations[index]?.run(connection, dialect);
  const oldestUsable = migrations.findLastIndex(({ additive }, at) => at <= index && !additive) + 1;
  await storeNumber(connection, VERSION_NAME, index + 1);
  await storeNumber(connection, OLDEST_USABLE_NAME, oldestUsable);
}

/** The versions of the tables. Throws `invalid_configuration` when they have no version. */
export async function readSchema(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<Schema> {
  if (!(await dialect.hasTable(kysely, metaTable))) return { version: 0, oldestUsable: 0 };
  const rows = await kysely
    .selectFrom(metaTable)
    .select(['name', 'value'])
    .where('name', 'in', [VERSION_NAME, OLDEST_USABLE_NAME])
    .execute();
  const numbers = new Map(rows.map(({ name, value }) => [name, Number(value)]));
  const version = numbers.get(VERSION_NAME);
  // The first releases named no oldest version: only they can use their tables.
  const oldestUsable = numbers.get(OLDEST_USABLE_NAME) ?? version;
  if (isVersion(version) && isVersion(oldestUsable)) return { version, oldestUsable };
  throw new IdentityError('invalid_configuration', `The table ${metaTable} names no schema version.`);
}

/** Throws `invalid_configuration` for tables that a release which knows `newest` versions cannot use. */
export function assertUsable({ version, oldestUsable }: Schema, newest: number = allMigrations.length): void {
  if (version <= newest || oldestUsable <= newest) return;
  throw new IdentityError(
    'invalid_configuration',
    `The database has schema version ${version} and this release knows none above ${newest}: use a newer release.`,
  );
}

function isVersion(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && Number(number) > 0;
}

async function storeNumber(kysely: Kysely<SqlTables>, name: string, number: number): Promise<void> {
  await kysely
    .insertInto(metaTable)
    .values({ name, value: String(number) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}
