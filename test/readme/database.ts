import { randomBytes } from 'node:crypto';
import { administer, hasPostgres, SERVER } from '../storage/postgres-database.ts';

/** A database that nothing else uses. */
export interface OwnDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/** A snippet names its database by this variable. */
export const NEEDS_DATABASE = 'process.env.DATABASE_URL';

/** Opens an empty database of PostgreSQL: a snippet makes schemas and tables as a host does. */
export async function openDatabase(): Promise<OwnDatabase> {
  const name = `ais_snippets_${randomBytes(8).toString('hex')}`;
  const administration = administer();
  await administration.query(`create database ${name} template template0 encoding 'UTF8'`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async remove() {
      await administration.query(`drop database ${name} with (force)`);
      await administration.end();
    },
  };
}

/** Whether the snippets of these texts can run here; says what is missing. */
export async function canRun(texts: readonly string[]): Promise<boolean> {
  return !texts.some((text) => text.includes(NEEDS_DATABASE)) || hasPostgres();
}
