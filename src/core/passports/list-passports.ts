/** Lists passports: by status, by domain, or the child agents of an agent. */
import { isDomain, isSetName, parseAgentId } from '../../base/values/agent-id.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { PASSPORT_STATUSES, statusAt } from '../../base/values/passport-status.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { Instant, Page, Passport, PassportStatus } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { Actor, CallOptions } from '../shared/callers.ts';
import { accountOf, type Context, now } from '../shared/context.ts';
import { limitErrors, type PageRequest, readPage } from '../shared/pages.ts';
import { type ListReader, recordsBy, recordsExpiredBy } from '../shared/record-lists.ts';
import { isBound, isWithin } from '../shared/seen.ts';
import { daysBefore, unusedErrors } from '../shared/unused.ts';
import type { PassportRecord } from './collections.ts';
import { toPassport } from './passport-record.ts';
import { readSightings, withSighting } from './sightings.ts';

/** Selects passports by filters, and one page of the result. */
export interface PassportQuery extends PageRequest {
  /** The present status of the passports. */
  readonly status?: PassportStatus;
  /** The domain of the passports. */
  readonly domain?: string;
  /** The parent agent of the passports. */
  readonly parent_agent_id?: string;
  /** The name of the file set that manages the passports. */
  readonly managed_by?: string;
  /** The owner of the passports. */
  readonly owner?: string;
  /** Only passports that are older than this number of days, 1 to 365, and were not used in these days. */
  readonly unused_days?: number;
}

/** Lists passports, newest first. With the status `expired`, passports are listed by their expiry, the latest first. */
export async function listPassports(
  context: Pick<Context, 'store' | 'caches' | 'clock' | 'seal' | 'session' | 'allowLocalhost'>,
  query: PassportQuery,
  options: Actor & CallOptions,
): Promise<Page<Passport>> {
  const { status, domain, parent_agent_id, managed_by, owner, unused_days, ...page } = query;
  const filter = { status, domain, parent_agent_id, managed_by, owner, unused_days };
  refuseAny([...filterErrors(filter, context), ...limitErrors(page.limit)]);
  const account_id = accountOf(context, options);
  const instant = now(context);
  const seenMap = new Map<string, Instant>();
  const cutoff = unused_days === undefined ? undefined : daysBefore(context, unused_days);
  // An agent may have been seen at the end of its hour.
  const seenBefore = cutoff === undefined ? '' : formatInstant(Date.parse(cutoff) - RESOLUTION_MS.hour);
  const list = {
    query: [
      'passports',
      account_id,
      status,
      domain,
      parent_agent_id,
      managed_by,
      owner,
      cutoff && `${unused_days}`,
    ],
    show: (record: PassportRecord) => withSighting(toPassport(record, instant), seenMap),
  };
  const keep = (record: PassportRecord): boolean =>
    isWithin(options, record.id) &&
    (status === undefined || statusAt(record, instant) === status) &&
    (domain === undefined || record.domain === domain) &&
    (parent_agent_id === undefined || record.parent_agent_id === parent_agent_id) &&
    (managed_by === undefined || record.managed_by === managed_by) &&
    (owner === undefined || record.owner === owner) &&
    (cutoff === undefined || (record.created_at < cutoff && (seenMap.get(record.id) ?? '') <= seenBefore));
  if (status === 'expired' && domain === undefined && parent_agent_id === undefined) {
    const expiredReader = withSightings(
      context,
      seenMap,
      recordsExpiredBy(context.store, 'passports', instant, { account_id }),
    );
    return readPage(context, { ...list, ...expiredReader, keep }, page, options);
  }
  const listFilter = listedBy(filter);
  const records = recordsBy(context.store, 'passports', { account_id, ...listFilter });
  const source = { ...list, ...withSightings(context, seenMap, records) };
  const values = Object.values(filter).filter((value) => value !== undefined);
  const isAll = Object.keys(listFilter).length === values.length;
  const isWhole = isAll && status === undefined && !isBound(options);
  return readPage(context, isWhole ? source : { ...source, keep }, page, options);
}

function withSightings<Place>(
  context: Pick<Context, 'store' | 'clock'>,
  seenMap: Map<string, Instant>,
  reader: ListReader<PassportRecord, Place>,
): ListReader<PassportRecord, Place> {
  return {
    ...reader,
    async read(limit, position) {
      const piece = await reader.read(limit, position);
      const sightings = await readSightings(
        context,
        piece.records.map(({ id }) => id),
      );
      for (const [id, instant] of sightings) seenMap.set(id, instant);
      return piece;
    },
  };
}

type Filter = {
  readonly [Field in Exclude<keyof PassportQuery, keyof PageRequest>]: PassportQuery[Field] | undefined;
};

/** Returns the filter for the index of the storage: the field that the fewest passports match. */
function listedBy({ status, domain, parent_agent_id }: Filter): Readonly<Record<string, string>> {
  if (parent_agent_id !== undefined) return { parent_agent_id };
  if (domain !== undefined) return { domain };
  // Only these two are final in the store; the others depend on the time as well.
  return status === 'revoked' || status === 'suspended' ? { status } : {};
}

function filterErrors(
  { status, domain, parent_agent_id, managed_by, owner, unused_days }: Filter,
  { allowLocalhost }: Pick<Context, 'allowLocalhost'>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, code: string) => errors.push({ path, code, message: mustBe(path) });
  if (status !== undefined && !PASSPORT_STATUSES.some((knownStatus) => knownStatus === status))
    refuse('/status', 'not_allowed');
  if (domain !== undefined && !isDomain(domain, { allowLocalhost })) refuse('/domain', 'malformed');
  if (parent_agent_id !== undefined && parseAgentId(parent_agent_id, { allowLocalhost }) === undefined)
    refuse('/parent_agent_id', 'malformed');
  if (managed_by !== undefined && !isSetName(managed_by)) refuse('/managed_by', 'malformed');
  if (owner !== undefined && (typeof owner !== 'string' || owner === '')) refuse('/owner', 'malformed');
  errors.push(...unusedErrors(unused_days));
  return errors;
}
