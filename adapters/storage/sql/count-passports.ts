import { type Kysely, sql } from 'kysely';
import type { Instant, PassportCountsPiece } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { isSqlText, type SqlTables } from './rows.ts';

const NONE: PassportCountsPiece = { active: 0, suspended: 0, revoked: 0, expired: 0, next: null };

interface Counted {
  readonly active: unknown;
  readonly suspended: unknown;
  readonly revoked: unknown;
  readonly expired: unknown;
  readonly looked_at: unknown;
  readonly last: string | null;
}

/**
 * Counts the passports of an account by their status at an instant, by scanning an index that contains all necessary
 * columns. `firstId` is the `next` of the previous piece, an id.
 */
export async function countPassports(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  account_id: string,
  instant: Instant,
  firstId?: string,
): Promise<PassportCountsPiece> {
  if (!isSqlText(account_id)) return NONE;
  const behindSql = firstId === undefined ? sql`` : sql`and id > ${firstId}`;
  const query = sql<Counted>`
    select
      count(case when now = 'active' then 1 end) as active,
      count(case when now = 'suspended' then 1 end) as suspended,
      count(case when now = 'revoked' then 1 end) as revoked,
      count(case when now = 'expired' then 1 end) as expired,
      count(*) as looked_at,
      max(id) as last
    from (
      select id, case
          when status = 'revoked' then 'revoked'
          when status = 'suspended' and (suspended_until is null or suspended_until > ${instant}) then 'suspended'
          when expires_at <= ${instant} then 'expired'
          else 'active'
        end as now
      from ais_passports where account_id = ${account_id} ${behindSql}
      order by id limit ${BigInt(dialect.walkRows)}
    ) as piece`;
  const [row] = (await query.execute(kysely)).rows;
  if (row === undefined) return NONE;
  return {
    active: Number(row.active),
    suspended: Number(row.suspended),
    revoked: Number(row.revoked),
    expired: Number(row.expired),
    next: Number(row.looked_at) < dialect.walkRows ? null : row.last,
  };
}
