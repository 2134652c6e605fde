/** Lists passports: by status, by domain, or the child agents of an agent. */
import { isDomain, isSetName, parseAgentId } from '../../base/values/agent-id.ts';
import { mustBe } from '../../base/values/expected.ts';
import { PASSPORT_STATUSES, statusAt } from '../../base/values/passport-status.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { Page, Passport, PassportStatus } from '../../records.ts';
import type { Actor, CallOptions } from '../shared/callers.ts';
import { accountOf, type Context, now } from '../shared/context.ts';
import { limitErrors, type PageRequest, readPage } from '../shared/pages.ts';
import { recordsBy, recordsExpiredBy } from '../shared/record-lists.ts';
import { isBound, isWithin } from '../shared/seen.ts';
import type { PassportRecord } from './collections.ts';
import { toPassport } from './passport-record.ts';

/** A filter for passports, and a page of them. */
export interface PassportQuery extends PageRequest {
  /** The status that they have now. */
  readonly status?: PassportStatus;
  /** The domain of the passports. */
  readonly domain?: string;
  /** The agent that they help. */
  readonly parent_agent_id?: string;
  /** The set of files that manages them. */
  readonly managed_by?: string;
}

/**
 * Lists passports, newest first. With the status `expired`, passports are listed by the end of their time, the latest
 * first.
 */
export async function listPassports(
  context: Context,
  query: PassportQuery,
  options: Actor & CallOptions,
): Promise<Page<Passport>> {
  const { status, domain, parent_agent_id, managed_by, ...page } = query;
  const filter = { status, domain, parent_agent_id, managed_by };
  refuseAny([...filterErrors(filter, context), ...limitErrors(page.limit)]);
  const account_id = accountOf(context, options);
  const at = now(context);
  const list = {
    query: ['passports', account_id, status, domain, parent_agent_id, managed_by],
    show: (record: PassportRecord) => toPassport(record, at),
  };
  const keep = (record: PassportRecord): boolean =>
    isWithin(options, record.id) &&
    (status === undefined || statusAt(record, at) === status) &&
    (domain === undefined || record.domain === domain) &&
    (parent_agent_id === undefined || record.parent_agent_id === parent_agent_id) &&
    (managed_by === undefined || record.managed_by === managed_by);
  if (status === 'expired' && domain === undefined && parent_agent_id === undefined) {
    const expired = recordsExpiredBy(context.store, 'passports', at, { account_id });
    return readPage(context, { ...list, ...expired, keep }, page, options);
  }
  const by = listedBy(filter);
  const source = { ...list, ...recordsBy(context.store, 'passports', { account_id, ...by }) };
  const asked = Object.values(filter).filter((value) => value !== undefined);
  const isAll = Object.keys(by).length === asked.length;
  const isWhole = isAll && status === undefined && !isBound(options);
  return readPage(context, isWhole ? source : { ...source, keep }, page, options);
}

type Filter = {
  readonly [Field in Exclude<keyof PassportQuery, keyof PageRequest>]: PassportQuery[Field] | undefined;
};

/** Returns the field for the index of the storage: the field with the fewest passports. */
function listedBy({ status, domain, parent_agent_id }: Filter): Readonly<Record<string, string>> {
  if (parent_agent_id !== undefined) return { parent_agent_id };
  if (domain !== undefined) return { domain };
  // Only these two are final in the store; the others depend on the time as well.
  return status === 'revoked' || status === 'suspended' ? { status } : {};
}

function filterErrors(
  { status, domain, parent_agent_id, managed_by }: Filter,
  { allowLocalhost }: Context,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, code: string) => errors.push({ path, code, message: mustBe(path) });
  if (status !== undefined && !PASSPORT_STATUSES.some((known) => known === status))
    refuse('/status', 'not_allowed');
  if (domain !== undefined && !isDomain(domain, { allowLocalhost })) refuse('/domain', 'malformed');
  if (parent_agent_id !== undefined && parseAgentId(parent_agent_id, { allowLocalhost }) === undefined)
    refuse('/parent_agent_id', 'malformed');
  if (managed_by !== undefined && !isSetName(managed_by)) refuse('/managed_by', 'malformed');
  return errors;
}
