import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlRow, SqlTables } from '../rows.ts';

/**
 * Version 4: the time mark of a database without a clock. Where there are records already it is as late as the
 * newest of those that are ever purged, so that the first clock that is asked cannot make them all old.
 */
export async function clockMark(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<void> {
  if (dialect.clockMs !== undefined) return;
  await sql<SqlRow>`
    insert into ais_meta (name, value)
    select 'clock_mark', max(newest) from (
      select max(created_at) as newest from ais_verdicts
      union all select max(start) from ais_rollups where resolution = 'minute'
      union all select max(created_at) from ais_sessions
      union all select max(created_at) from ais_idempotency
    ) as kinds having max(newest) is not null`.execute(kysely);
}
