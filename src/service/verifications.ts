/** The journal as it is read: page by page, or as one long CSV. */

import { formatInstant } from '../instant.ts';
import { toAmount } from '../money.ts';
import type { JournalEntry, JournalQuery, Position } from '../ports.ts';
import type { Environment, Page, VerdictRecord } from '../records.ts';
import { type Actor, accountOf, type Context } from './context.ts';
import { CSV_HEADER, csvLine } from './csv.ts';
import { type RangeRequest, readRange } from './instant-range.ts';
import type { Journal } from './journal.ts';
import { type PageRequest, readPage } from './pages.ts';

/** Which verdicts to show. */
export interface VerificationFilter extends RangeRequest {
  readonly agent_id?: string;
  readonly verdict?: 'ALLOW' | 'DENY';
  /** The code of one of the reasons. */
  readonly reason?: string;
  readonly environment?: Environment;
}

/** Reads the verdicts of an account, newest first. */
export interface Verifications {
  list(query?: VerificationFilter & PageRequest, actor?: Actor): Promise<Page<VerdictRecord>>;
  /** Lines of CSV (RFC 4180), the header first, a page at a time; the first page is read before it resolves. */
  csv(filter?: VerificationFilter, actor?: Actor): Promise<AsyncIterable<string>>;
}

const CSV_PAGE = 1_000;

/** The verdicts filed by the service of `context`. */
export function createVerifications(context: Context, journal: Journal): Verifications {
  const { store } = context;

  function toQuery(filter: VerificationFilter, actor: Actor): Omit<JournalQuery, 'limit'> {
    const { agent_id, verdict, reason, environment } = filter;
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
    async list({ limit, cursor, ...filter } = {}, actor = {}) {
      const query = toQuery(filter, actor);
      await journal.settle();
      return readPage(
        context.seal,
        {
          query: ['verifications', JSON.stringify(query)],
          read: (most, after) => store.read({ ...query, limit: most, ...(after && { after }) }),
          show: toVerdictRecord,
        },
        { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) },
      );
    },

    async csv(filter = {}, actor = {}) {
      const query = toQuery(filter, actor);
      await journal.settle();
      const read = (after?: Position) => store.read({ ...query, limit: CSV_PAGE, ...(after && { after }) });
      return lines(await read(), read);
    },
  };
}

async function* lines(
  first: readonly JournalEntry[],
  read: (after: Position) => Promise<readonly JournalEntry[]>,
): AsyncIterable<string> {
  yield CSV_HEADER;
  for (let page = first; page.length > 0; ) {
    yield page.map((entry) => csvLine(toVerdictRecord(entry))).join('');
    const last = page.at(-1);
    page = last === undefined || page.length < CSV_PAGE ? [] : await read(last);
  }
}

function toVerdictRecord(entry: JournalEntry): VerdictRecord {
  const { verdict, reasons, agent_id, action, target, currency } = entry;
  const { passport_version, environment, key_id, dry_run } = entry;
  const amount = entry.amount === null ? null : toAmount(entry.amount);
  const judged = { agent_id, action, target, amount, currency };
  const asked = { passport_version, environment, key_id, dry_run, evaluated_at: entry.created_at };
  return { verdict, reasons, decision_id: entry.id, ...judged, ...asked };
}
