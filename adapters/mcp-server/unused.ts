/** Lists the agents and API keys that were not used for some days. */
import type { AdminClient } from '../../src/client.ts';
import { IdentityError } from '../../src/index.ts';
import type { Given } from './arguments.ts';
import { keySummary, pageWith, passportSummary, type ShownPage } from './records.ts';
import { type Arguments, queryOf, required } from './rows.ts';

const { unused_days, limit, cursor } = queryOf('GET /passports');
if (unused_days === undefined) throw new Error('GET /passports has no unused_days.');

export const UNUSED_ARGUMENTS: Arguments = {
  days: required(unused_days.schema),
  ...(limit && { limit }),
  ...(cursor && { cursor }),
};

/**
 * Lists agents that were not used for `days`. The last page also has the API keys, if the management key may read keys.
 */
export async function listUnused(admin: AdminClient, { days, ...page }: Given): Promise<ShownPage> {
  const query = { unused_days: Number(days) };
  const foundPage = pageWith(await admin.passports.list({ ...page, ...query }), passportSummary);
  if (foundPage.has_more) return foundPage;
  const keys = await admin.keys.list(query).catch(withoutKeys);
  return { ...foundPage, data: [...foundPage.data, ...(keys?.data.map(keySummary) ?? [])] };
}

function withoutKeys(error: unknown): undefined {
  if (error instanceof IdentityError && error.code === 'insufficient_scope') return undefined;
  throw error;
}
