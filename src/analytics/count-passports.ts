import { formatInstant } from '../base/values/instant.ts';
import { statusAt } from '../base/values/passport-status.ts';
import type { Context } from '../core/shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../core/shared/record-lists.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { PassportCounts } from '../ports/queries.ts';

/** Counts the passports of an account by their present status, or only the passport of one agent. */
export async function countPassports(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  agent_id: string | undefined,
  assertInTime: () => void,
): Promise<PassportCounts> {
  const instant = formatInstant(clock.now());
  const sums = { active: 0, suspended: 0, revoked: 0, expired: 0 };
  if (agent_id !== undefined) {
    const record = await store.get('passports', agent_id);
    if (record?.account_id === account_id) sums[statusAt(record, instant)] = 1;
    return sums;
  }
  if (store.countPassports === undefined) {
    const passports = recordsBy(store, 'passports', { account_id });
    for await (const page of everyPage(passports, pageSize(MAX_PAGE_SIZE))) {
      assertInTime();
      for (const record of page) sums[statusAt(record, instant)] += 1;
    }
    return sums;
  }
  let firstId: string | undefined;
  do {
    assertInTime();
    const { next, ...piece } = await store.countPassports(account_id, instant, firstId);
    for (const status of Object.keys(sums) as (keyof PassportCounts)[]) sums[status] += piece[status];
    firstId = next ?? undefined;
  } while (firstId !== undefined);
  return sums;
}
