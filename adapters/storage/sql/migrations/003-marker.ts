import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { SqlTables } from '../rows.ts';

/** Version 3: a marker that identifies this database. It is made once and never changes. */
export async function databaseMarker(kysely: Kysely<SqlTables>): Promise<void> {
  await kysely.insertInto('ais_meta').values({ name: 'marker', value: randomUUID() }).execute();
}
