import { randomBytes } from 'node:crypto';
import pg from 'pg';

import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import {
  blocksTable,
  countersTable,
  deltasTable,
  rollupsTable,
  tables,
  writersTable,
} from '../../adapters/storage/sql/tables.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { assertNoTestRuns, sayMissing } from '../support/missing.ts';
import { PATIENT_MS } from '../support/patience.ts';

/** The server of the tests; a machine with tests and little time may be slow to answer. */
export const SERVER: string = process.env['PG_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

const TABLES: readonly string[] = [
  ...Object.values(tables).map(({ name }) => name),
  blocksTable.name,
  writersTable.name,
  deltasTable,
  rollupsTable.name,
  countersTable,
];

/** A connection for what is no matter of a storage. */
export interface Administration {
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** An empty schema that `end` removes; the URL of a database where tables are made in it, under further settings. */
  newSchema(settings?: readonly string[]): Promise<string>;
  /** The same with all tables in it, without a record; another borrower may have had it before. */
  borrowSchema(): Promise<string>;
  /** Takes a schema back that is no longer used. */
  takeBack(url: string): Promise<void>;
  /** Removes the schemas. */
  end(): Promise<void>;
}

/**
 * Whether PostgreSQL is there. Where it is not, a file has one case that says what did not run; on CI, where it
 * has to be, that one fails.
 */
export async function hasPostgres(): Promise<boolean> {
  assertNoTestRuns();
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? 'no answer';
    sayMissing(`PostgreSQL is not there (${reason}): nothing about it was proved. Set PG_URL to a database.`);
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The administration of the server of the tests. */
export function administer(): Administration {
  const pool = new pg.Pool({ connectionString: SERVER, max: 4, options: '-c synchronous_commit=off' });
  const schemas = new Map<string, string>();
  const free: string[] = [];

  async function newSchema(settings: readonly string[] = []): Promise<string> {
    const schema = `ais_test_${randomBytes(8).toString('hex')}`;
    await pool.query(`create schema ${schema}`);
    const url = new URL(SERVER);
    const all = [`search_path=${schema}`, 'synchronous_commit=off', ...settings];
    url.searchParams.set('options', all.map((setting) => `-c ${setting}`).join(' '));
    schemas.set(url.href, schema);
    return url.href;
  }

  return {
    query: (text, values) => pool.query(text, values),
    newSchema,
    async borrowSchema() {
      const known = free.pop();
      if (known !== undefined) return known;
      const url = await newSchema();
      await (await openSchema(url)).close();
      return url;
    },
    async takeBack(url) {
      const schema = schemas.get(url);
      await pool.query(emptying(`${schema}`));
      free.push(url);
    },
    async end() {
      for (const schema of schemas.values()) {
        await pool.query(`set client_min_messages = warning; drop schema if exists ${schema} cascade`);
      }
      await pool.end();
    },
  };
}

/** Statements that leave the tables of a schema as they were when they were made. */
export function emptying(schema: string): string {
  const statements = TABLES.map((table) => `delete from ${schema}.${table}`);
  const names = ["'shared %'", "'%_removed_until'", "'change %'", "'polled_until'", "'huge_counts'"];
  statements.push(
    `delete from ${schema}.ais_meta where ${names.map((name) => `name like ${name}`).join(' or ')}`,
  );
  return statements.join('; ');
}

/** The schema of the tables behind a URL. */
export function schemaOf(url: string): string {
  const [, schema] = new URL(url).searchParams.get('options')?.match(/search_path=(\w+)/) ?? [];
  if (schema === undefined) throw new Error('The URL names no schema.');
  return schema;
}

/** A storage in a schema, with time for a slow machine. */
export function openSchema(url: string): Promise<StorageAdapter> {
  return postgresStorage({ url, timeoutMs: PATIENT_MS });
}
