import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { allMigrations, applyMigration, assertUsable, readSchema } from '../migrations.ts';
import type { SqlTables } from '../rows.ts';
import { postgres } from './dialect.ts';

/**
 * Returns the SQL of the missing migrations of a database, as one transaction; `undefined` if none is missing.
 *
 * @throws {IdentityError} `invalid_configuration` for a database that this release cannot use.
 */
export async function migrationScript(kysely: Kysely<SqlTables>): Promise<string | undefined> {
  await postgres.assertUnicode(kysely);
  const schema = await readSchema(kysely, postgres);
  assertUsable(schema);
  if (schema.version >= allMigrations.length) return undefined;
  const lines = [`-- Schema version ${schema.version} to ${allMigrations.length}.`, 'begin;'];
  const recorder = new Kysely<SqlTables>({ dialect: recordingDialect((text) => lines.push(`${text};`)) });
  await postgres.takeMigrationTurn(recorder);
  for (let index = schema.version; index < allMigrations.length; index += 1) {
    lines.push(`-- Version ${index + 1}`);
    await applyMigration(recorder, postgres, index);
  }
  return [...lines, 'commit;'].join('\n');
}

function recordingDialect(record: (text: string) => void): Dialect {
  const connection = {
    async executeQuery(query: CompiledQuery) {
      record(toText(query));
      return { rows: [] };
    },
    streamQuery(): never {
      throw new Error('Streaming is not supported.');
    },
  };
  const doNothing = async (): Promise<void> => {};
  const driver: Driver = {
    init: doNothing,
    acquireConnection: async () => connection,
    releaseConnection: doNothing,
    beginTransaction: doNothing,
    commitTransaction: doNothing,
    rollbackTransaction: doNothing,
    destroy: doNothing,
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Returns the statement with its values inserted. The values must be trusted texts. */
function toText({ sql: text, parameters }: CompiledQuery): string {
  const lines = text.trim().split('\n');
  const plain = lines.map((line) => line.trim()).join('\n  ');
  if (parameters.length === 0) return plain;
  return plain.replaceAll(/\$(\d+)/g, (_, digits: string) => {
    const value = parameters[Number(digits) - 1];
    if (typeof value !== 'string') throw new TypeError('A migration binds a value that is not text.');
    return `'${value.replaceAll("'", "''")}'`;
  });
}
