import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { IdentityError } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { IDENTITY_NAME } from './identity.ts';
import { firstParts, makePart } from './parts.ts';
import { JOINED_WRITE_FUNCTION } from './postgres/joined-write-function.ts';
import type { SqlTables } from './rows.ts';
import { blocksTable, metaTable } from './tables.ts';
import { transact } from './transaction.ts';

/** A step from one schema version to the next. Once released it never changes. */
export interface Migration {
  /**
   * True if older releases can still use the tables: it only adds tables, functions, indexes that are not unique, and
   * columns that may be NULL, or sets how the database keeps them. Only then can nodes be upgraded one by one.
   */
  readonly additive: boolean;
  /** The names of the tables, columns (`table.column`) and indexes that it adds. The first version lacks them. */
  readonly adds?: readonly string[];
  /** Makes other changes. */
  readonly run?: (kysely: Kysely<SqlTables>, dialect: SqlDialect) => Promise<void>;
}

/** Returns all migrations: the first one, which makes the first version, and then `later`. */
export function migrationsOf(later: readonly Migration[]): readonly Migration[] {
  const added = addedBy(later);
  const first: Migration = {
    additive: false,
    async run(kysely, dialect) {
      await runAll(kysely, firstParts(dialect, added));
      // The identity identifies this database and never changes.
      await kysely.insertInto(metaTable).values({ name: IDENTITY_NAME, value: randomUUID() }).execute();
    },
  };
  return [first, ...later];
}

/**
 * Vacuums blocks early and without pauses: by default a fifth of the table, which may be hundreds of gigabytes, would
 * have to be dead first. Blocks are rarely changed, so inserts count as well.
 */
const OFTEN_VACUUMED = `alter table ${blocksTable.name} set (${[
  ...['', 'toast.'].flatMap((part) => [
    `${part}autovacuum_vacuum_scale_factor = 0.01`,
    `${part}autovacuum_vacuum_cost_delay = 0`,
  ]),
  'autovacuum_vacuum_insert_scale_factor = 0.05',
].join(', ')})`;

/**
 * The migrations of this release. A table, column or index that is new in `tables.ts` or `indexes.ts` needs a migration
 * here, such as `{ additive: true, adds: ['ais_passports.hours'] }`.
 */
export const allMigrations: readonly Migration[] = migrationsOf([
  { additive: true, adds: ['ais_journal_blocks.erased', 'ais_journal_blocks.erasable'] },
  {
    additive: true,
    async run(kysely, dialect) {
      if (dialect.name === 'postgres') await runAll(kysely, [JOINED_WRITE_FUNCTION, OFTEN_VACUUMED]);
    },
  },
  // INVARIANT: not additive. A release from before members takes no password of a login, and would not ask a second
  // person for an approval that needs one.
  {
    additive: false,
    adds: [
      ...[
        'ais_accounts.external_id',
        'ais_accounts.name',
        'ais_sessions.member_id',
        'ais_sessions.member_version',
      ],
      ...['ais_members', 'ais_members_by_account', 'ais_members_by_status', 'ais_members_by_age'],
      ...['ais_logins', 'ais_logins_by_account', 'ais_logins_by_member', 'ais_logins_by_age'],
      'ais_logins_by_expiry',
      ...['ais_passports.widened_by', 'ais_passports.widened_at'],
      ...['kind', 'change', 'needed', 'by', 'decisions', 'requested_by'].map(
        (name) => `ais_approvals.${name}`,
      ),
    ],
    run: (kysely, dialect) => runAll(kysely, withoutEmail(dialect)),
  },
  {
    additive: true,
    adds: [
      ...['ais_log_heads', 'ais_log_heads_by_account', 'ais_log_heads_by_age'],
      ...['ais_log_entries', 'ais_log_entries_by_account', 'ais_log_entries_by_subject'],
      ...['ais_log_entries_by_age', 'ais_log_entries_by_expiry'],
      ...['ais_log_tiles', 'ais_log_tiles_by_account', 'ais_log_tiles_by_age'],
      ...['ais_events.due_at', 'ais_events_by_due', 'ais_events_by_account_due'],
    ],
  },
  // INVARIANT: not additive. A release from before would give a spend back while its permit is accepted, and compare a
  // change with the version before it alone.
  {
    additive: false,
    adds: ['ais_spends.permit_until', 'ais_passports.reviewed_version', 'ais_passports.authors'],
  },
  // INVARIANT: not additive. A release from before would decide without the conditions.
  { additive: false, adds: ['ais_passports.conditions'] },
  { additive: true, adds: ['ais_journal_writers_unmerged'] },
  // INVARIANT: not additive. A release from before would decide without the pace.
  { additive: false, adds: ['ais_passports.pace'] },
]);

function addedBy(migrations: readonly Migration[]): ReadonlySet<string> {
  return new Set(migrations.flatMap(({ adds = [] }) => adds));
}

/** Returns the statements that let accounts be without an e-mail. SQLite cannot change a column. */
function withoutEmail({ name, text }: SqlDialect): readonly string[] {
  if (name === 'postgres') return ['alter table ais_accounts alter column email drop not null'];
  return [
    `alter table ais_accounts add column any_email ${text}`,
    'update ais_accounts set any_email = email',
    'alter table ais_accounts drop column email',
    'alter table ais_accounts rename column any_email to email',
  ];
}

async function runAll(kysely: Kysely<SqlTables>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

/** The schema versions of a database. */
export interface Schema {
  /** The version of its tables; 0 if it has none. */
  readonly version: number;
  /** The lowest version whose release can use them. */
  readonly oldestUsable: number;
}

const VERSION_NAME = 'tables_version';
const OLDEST_USABLE_NAME = 'oldest_usable';
/** The name of the version in databases from before the first release, which had other tables. */
const FORMER_VERSION_NAME = 'schema_version';

/**
 * Migrates the database to the newest version, each step in its own transaction; processes that start together take
 * turns. Leaves a database of a newer release as it is. Throws `invalid_configuration`, before any write, if this
 * release cannot use it, or if it cannot store all of Unicode.
 */
export async function migrate(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  await dialect.assertUnicode(kysely);
  const found = await readSchema(kysely, dialect);
  assertUsable(found, migrations.length);
  for (const index of migrations.keys()) {
    const version = index + 1;
    if (version <= found.version) continue;
    await transact(kysely, dialect, async (connection) => {
      await dialect.takeMigrationTurn(connection);
      const schema = await readSchema(connection, dialect);
      assertUsable(schema, migrations.length);
      if (schema.version >= version) return;
      await applyMigration(connection, dialect, index, migrations);
    });
  }
}

/** Runs the migration at that index, and stores the new version. */
export async function applyMigration(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  index: number,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  const { adds = [], run } = migrations[index] ?? {};
  const added = addedBy(migrations);
  await runAll(
    connection,
    adds.flatMap((part) => makePart(dialect, part, added)),
  );
  await run?.(connection, dialect);
  const oldestUsable = migrations.findLastIndex(({ additive }, at) => at <= index && !additive) + 1;
  await storeNumber(connection, VERSION_NAME, index + 1);
  await storeNumber(connection, OLDEST_USABLE_NAME, oldestUsable);
}

/** Reads the schema versions. Throws `invalid_configuration` if there are tables without a readable version. */
export async function readSchema(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<Schema> {
  if (!(await dialect.hasTable(kysely, metaTable))) return { version: 0, oldestUsable: 0 };
  const rows = await kysely
    .selectFrom(metaTable)
    .select(['name', 'value'])
    .where('name', 'in', [VERSION_NAME, OLDEST_USABLE_NAME, FORMER_VERSION_NAME])
    .execute();
  const numbers = new Map(rows.map(({ name, value }) => [name, Number(value)]));
  const version = numbers.get(VERSION_NAME);
  const oldestUsable = numbers.get(OLDEST_USABLE_NAME);
  if (numbers.has(FORMER_VERSION_NAME)) {
    throw new IdentityError(
      'invalid_configuration',
      'An older development version made the database, and this version cannot read its tables. Nothing in it was changed. Write its passports to a file with that version (agent-identity passport export), and read them into an empty database with this one (agent-identity passport import).',
    );
  }
  if (isVersion(version) && isVersion(oldestUsable)) return { version, oldestUsable };
  throw new IdentityError('invalid_configuration', `The table ${metaTable} names no version of its tables.`);
}

/** Throws `invalid_configuration` if a release with the version `newest` cannot use the tables. */
export function assertUsable({ version, oldestUsable }: Schema, newest: number = allMigrations.length): void {
  if (version <= newest || oldestUsable <= newest) return;
  throw new IdentityError(
    'invalid_configuration',
    `The database has schema version ${version}, and this version of the package reads no higher version than ${newest}. Use a newer version of the package.`,
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
