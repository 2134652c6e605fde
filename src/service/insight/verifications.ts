/** The journal as it is read: page by page, or as one long CSV. */

import { formatInstant } from '../../base/instant.ts';
import { type RangeRequest, rangeErrors, readRange } from '../../base/instant-range.ts';
import { toAmount } from '../../base/money.ts';
import { refuseAny } from '../../errors.ts';
import type { JournalPiece, JournalQuery, Position } from '../../ports/queries.ts';
import type { JournalEntry } from '../../ports/stored.ts';
import type { Environment, Page, VerdictRecord } from '../../records.ts';
import type { Journal } from '../journal/journal.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import { assertWanted, type CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { limitErrors, type PageRequest, type PageSource, readPage } from '../shared/pages.ts';
import { CSV_HEADER, csvLine } from './csv.ts';

/** Which verdicts to show. */
export interface VerificationFilter extends RangeRequest {
  /** Only verdicts on this agent. */
  readonly agent_id?: string;
  /** Only these verdicts. */
  readonly verdict?: 'ALLOW' | 'DENY';
  /** The code of one of the reasons. */
  readonly reason?: string;
  /** Only verdicts that keys of this environment asked for. */
  readonly environment?: Environment;
}

/** Reads the verdicts of an account, newest first. */
export interface Verifications {
  /** A page may come short, even empty, with `has_more`: where few records fit, each call looks at a part of them. */
  list(
    query?: VerificationFilter & PageRequest,
    actor?: Actor,
    options?: CallOptions,
  ): Promise<Page<VerdictRecord>>;
  /** Lines of CSV (RFC 4180), the header first, a page at a time; the first page is read before it resolves. */
  csv(filter?: VerificationFilter, actor?: Actor, options?: CallOptions): Promise<AsyncIterable<string>>;
}

/** Few enough that a piece takes some milliseconds: it is read, spelled and sent in one go. */
const CSV_PAGE = 250;

/** The verdicts filed by the service of `context`. */
export function createVerifications(context: Context, journal: Journal): Verifications {
  const { store } = context;

  function toQuery(filter: VerificationFilter & PageRequest, actor: Actor): Omit<JournalQuery, 'limit'> {
    const { agent_id, verdict, reason, environment, limit } = filter;
    refuseAny([...agentIdErrors(agent_id), ...rangeErrors(filter), ...limitErrors(limit)]);
    const { from, to } = readRange(filter);
    return {
      account_id: accountOf(context, actor),
      ...(agent_id !== undefined && { agent_id }),
      ...(verdict !== undefined && { verdict }),
      ...(reason !== undefined && { reason }),
      ...(environment !== undefined && { environment }),
      ...(from !== undefined && { from: formatInstant(from) }),
      ...(to !== undefined && { to: formatInstant(to) }),
    };
  }

  return {
    async list(request = {}, actor = {}, options = {}) {
      const { limit, cursor } = request;
      const query = toQuery(request, actor);
      await journal.settle();
      const source: PageSource<JournalEntry, VerdictRecord, Position> = {
        query: ['verifications', JSON.stringify(query)],
        async read(most, after) {
          const { entries, next } = await store.read({ ...query, limit: most, ...(after && { after }) });
          return { records: entries, next };
        },
        positionOf: ({ created_at, id }) => ({ created_at, id }),
        show: toVerdictRecord,
      };
      const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
      return readPage(context, source, page, options);
    },

    async csv(filter = {}, actor = {}, { signal } = {}) {
      const query = toQuery(filter, actor);
      await journal.settle();
      const read = (after?: Position) => {
        assertWanted(signal);
        return store.read({ ...query, limit: CSV_PAGE, ...(after && { after }) });
      };
      return lines(await read(), read);
    },
  };
}

async function* lines(
  first: JournalPiece,
  read: (after: Position) => Promise<JournalPiece>,
): AsyncIterable<string> {
  yield CSV_HEADER;
  let piece = first;
  for (;;) {
    const text = piece.entries.map((entry) => csvLine(toVerdictRecord(entry))).join('');
    if (text !== '') yield text;
    if (piece.next === null) return;
    piece = await read(piece.next);
  }
}

function toVerdictRecord(entry: JournalEntry): VerdictRecord {
  const { verdict, reasons, agent_id, action, target, currency } = entry;
  // A store of JSON holds entries of older releases, which had none.
  const { passport_version, environment, key_id, request_id = null, dry_run } = entry;
  const amount = entry.amount === null ? null : toAmount(entry.amount);
  const judged = { agent_id, action, target, amount, currency };
  const asked = { passport_version, environment, key_id, request_id, dry_run };
  return { verdict, reasons, decision_id: entry.id, ...judged, ...asked, evaluated_at: entry.created_at };
}
