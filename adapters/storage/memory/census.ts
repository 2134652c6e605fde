import type { Census, Instant, StoredRecord } from '../../../src/index.ts';
import type { Collection } from './collection.ts';

const PAGE = 1_000;

/** How many passports an account has of each status at an instant. */
export function takeCensus(passports: Collection, account_id: string, at: Instant): Census {
  const census = { active: 0, suspended: 0, revoked: 0, expired: 0 };
  let after: StoredRecord | undefined;
  do {
    const page = passports.list({ where: { account_id }, limit: PAGE, ...(after && { after }) });
    for (const record of page) census[statusAt(record, at)] += 1;
    after = page.length === PAGE ? page.at(-1) : undefined;
  } while (after !== undefined);
  return census;
}

function statusAt({ status, suspended_until, expires_at }: StoredRecord, at: Instant): keyof Census {
  if (status === 'revoked') return 'revoked';
  if (status === 'suspended' && !isPast(suspended_until, at)) return 'suspended';
  return isPast(expires_at, at) ? 'expired' : 'active';
}

function isPast(instant: unknown, at: Instant): boolean {
  return typeof instant === 'string' && instant <= at;
}
