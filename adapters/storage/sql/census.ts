import { type Kysely, sql } from 'kysely';
import type { Census, Instant } from '../../../src/index.ts';
import { isSqlText, type SqlTables } from './rows.ts';

const NONE: Census = { active: 0, suspended: 0, revoked: 0, expired: 0 };

/** How many passports an account has of each status at an instant, by one walk through an index that covers it. */
export async function takeCensus(
  kysely: Kysely<SqlTables>,
  account_id: string,
  at: Instant,
): Promise<Census> {
  if (!isSqlText(account_id)) return NONE;
  const query = sql<{ status: keyof Census; count: number | string | bigint }>`
    select case
        when status = 'revoked' then 'revoked'
        when status = 'suspended' and (suspended_until is null or suspended_until > ${at}) then 'suspended'
        when expires_at <= ${at} then 'expired'
        else 'active'
      end as status, count(*) as count
    from ais_passports where account_id = ${account_id}
    group by 1`;
  const { rows } = await query.execute(kysely);
  return { ...NONE, ...Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])) };
}
