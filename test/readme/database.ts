import { randomBytes } from 'node:crypto';
import { administer, hasPostgres, SERVER } from '../storage/postgres-database.ts';
import { hasRedis, SERVER as REDIS } from '../storage/redis-server.ts';

/** A database that nothing else uses. */
export interface OwnDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/** A snippet names its database by this variable. */
export const NEEDS_DATABASE = 'process.env.DATABASE_URL';

/** Opens an empty database of PostgreSQL: a snippet makes schemas and tables as an application does. */
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

/** A snippet names the Redis of the tests by this variable. */
const NEEDS_REDIS = 'process.env.REDIS_URL';

/** The servers that snippets name, and those that are not there. */
export interface ServersOfSnippets {
  readonly variables: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

/** Looks for the servers that the snippets of these texts need; says what is missing. */
export async function serversFor(texts: readonly string[]): Promise<ServersOfSnippets> {
  const isNeeded = (name: string) => texts.some((text) => text.includes(name));
  const missing: string[] = [];
  if (isNeeded(NEEDS_DATABASE) && !(await hasPostgres())) missing.push(NEEDS_DATABASE);
  if (isNeeded(NEEDS_REDIS) && !(await hasRedis())) missing.push(NEEDS_REDIS);
  return { variables: { REDIS_URL: REDIS }, missing };
}
