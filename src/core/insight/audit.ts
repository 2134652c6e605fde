/** Reads the audit trail of an account: the stored events of its changes, newest first, as pages or as one CSV. */

import { readChangeRecordId } from '../../base/bytes/event-position.ts';
import type { Pages } from '../../base/pages.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { AUDIT_TYPES } from '../../base/values/vocabulary.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { RoomCode } from '../../operations/room-code.ts';
import type { Position } from '../../ports/journal.ts';
import type { AuditEntry, AuditType } from '../../records/audit.ts';
import type { Page } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import { type RangeRequest, rangeErrors, readRange } from '../../schema/instant-range.ts';
import type { EventRecord } from '../events/collections.ts';
import type { Actor } from '../shared/callers.ts';
import { assertWanted, type CallOptions } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { limitErrors, type PageRequest, readPage } from '../shared/pages.ts';
import { everyPage, type ListReader, pageSize, recordsBy } from '../shared/record-lists.ts';
import { cell } from './csv.ts';

/** A filter for the audit trail. */
export interface AuditFilter extends RangeRequest {
  /** Only entries of exactly this type. */
  readonly type?: AuditType;
  /** Only entries of this author: `mem_…`, `key_…` or `operator`. */
  readonly by?: string;
}

/** Reads the changes of an account and their authors, newest first. */
export interface Audit<Options = CallOptions> {
  /**
   * Returns a page. With a filter, the page may be short or empty although `has_more` is true, because each call
   * searches only a part of the entries.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter, limit or cursor.
   */
  list(query?: AuditFilter & PageRequest, options?: Options & CallOptions): Pages<Page<AuditEntry>>;
  /**
   * Yields lines of CSV (RFC 4180), the header first. `data` is JSON.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter.
   */
  csv(filter?: AuditFilter, options?: Options & CallOptions): Promise<AsyncIterable<string>>;
}

const CSV_HEADER = 'id,type,timestamp,by,data\r\n';
const CSV_PAGE = 64;
const MAX_AUTHOR = 128;

/** Creates the audit trail, which reads the stored events. There are no separate records. */
export function createAudit(
  context: Pick<Context, 'store' | 'caches' | 'clock' | 'clockWatch' | 'seal' | 'session' | 'auditDays'>,
): RoomCode<Audit<Actor>> {
  /**
   * Reads only the events within the range of the filter. Events past their retention are hidden, although they are
   * still stored.
   */
  function reader(account_id: string, filter: AuditFilter): ListReader<EventRecord, Position> {
    const { clock, clockWatch, auditDays, store } = context;
    const { from, to } = readRange(filter);
    const keptMs = clockWatch.mayPurge() ? clock.now() - auditDays * RESOLUTION_MS.day : 0;
    const oldest = formatInstant(Math.max(from ?? 0, keptMs, 0));
    const newest: Position | undefined =
      to === undefined ? undefined : { created_at: formatInstant(to), id: '' };
    const { read, ...list } = recordsBy(store, 'events', { account_id });
    return {
      ...list,
      async read(limit, positionAfter = newest) {
        const { records, next } = await read(limit, positionAfter);
        const inRange = records.filter(({ created_at }) => created_at >= oldest);
        return { records: inRange, next: inRange.length < records.length ? null : next };
      },
    };
  }

  return {
    async list(request = {}, options = {}) {
      const { limit, cursor, ...filter } = request;
      refuseAny([...errorsOf(filter), ...limitErrors(limit)]);
      const account_id = accountOf(context, options);
      const { type, by, from, to } = filter;
      const source = {
        query: ['audit', account_id, type, by, from, to],
        ...reader(account_id, filter),
        show: toEntry,
        keep: keepOf(filter),
      };
      const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
      return readPage(context, source, page, options);
    },

    async csv(filter = {}, { signal, ...actor } = {}) {
      refuseAny(errorsOf(filter));
      const pages = everyPage(reader(accountOf(context, actor), filter), pageSize(CSV_PAGE));
      return lines(pages, keepOf(filter), () => assertWanted(signal));
    },
  };
}

function errorsOf({ type, by, ...range }: AuditFilter): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (type !== undefined && !AUDIT_TYPES.includes(type))
    errors.push({ path: '/type', code: 'not_allowed', message: mustBe('/type') });
  if (by !== undefined && (typeof by !== 'string' || by === '' || by.length > MAX_AUTHOR))
    errors.push({ path: '/by', code: 'invalid_format', message: mustBe('/by') });
  return [...errors, ...rangeErrors(range)];
}

function keepOf({ type, by }: AuditFilter): (record: EventRecord) => boolean {
  return (record) =>
    (type === undefined || record.type === type) && (by === undefined || authorOf(record) === by);
}

function authorOf({ data }: EventRecord): string | null {
  const { changed_by, member_id } = data as { readonly changed_by?: string; readonly member_id?: string };
  return changed_by ?? member_id ?? null;
}

function toEntry(record: EventRecord): AuditEntry {
  const { changed_by: _, ...data } = record.data as { readonly changed_by?: string };
  return {
    id: readChangeRecordId(record.id).id,
    type: record.type as AuditType,
    timestamp: record.created_at,
    by: authorOf(record),
    data,
  };
}

async function* lines(
  pages: AsyncIterable<readonly EventRecord[]>,
  keep: (record: EventRecord) => boolean,
  assertStill: () => void,
): AsyncGenerator<string, void> {
  yield CSV_HEADER;
  for await (const records of pages) {
    assertStill();
    const text = records.filter(keep).map(toLine).join('');
    if (text !== '') yield text;
  }
}

function toLine(record: EventRecord): string {
  const { id, type, timestamp, by, data } = toEntry(record);
  return `${[id, type, timestamp, by ?? '', JSON.stringify(data)].map(cell).join(',')}\r\n`;
}
