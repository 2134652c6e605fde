/** The journal as it is read: page by page, or as one long CSV. */

import { mustBe } from '../../base/expected.ts';
import { type RangeRequest, rangeErrors, readRange } from '../../base/instant-range.ts';
import { RESOLUTION_MS } from '../../base/time-buckets.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { Position } from '../../ports/queries.ts';
import type { Environment, Page, VerdictRecord } from '../../records.ts';
import type { Journal } from '../journal/journal.ts';
import { createItemReader, createReader, type Piece, type RecordsQuery } from '../journal/reader.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import { assertWanted, type CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { limitErrors, type PageRequest, type PageSource, readPage } from '../shared/pages.ts';
import { CSV_HEADER, csvSpeller } from './csv.ts';

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
  /** `true`: only dry runs; `false`: none of them. */
  readonly dry_run?: boolean;
}

/** Reads the verdicts of an account, newest first. */
export interface Verifications {
  /** A page may come short, even empty, with `has_more`: where few records fit, each call looks at a part of them. */
  list(query?: VerificationFilter & PageRequest, options?: Actor & CallOptions): Promise<Page<VerdictRecord>>;
  /** Lines of CSV (RFC 4180), the header first, a page at a time; the first page is read before it resolves. */
  csv(filter?: VerificationFilter, options?: Actor & CallOptions): Promise<AsyncIterable<string>>;
}

/** Few enough that a piece takes some milliseconds: it is read, spelled and sent in one go. */
const CSV_PAGE = 1_000;

/** The verdicts filed by the service of `context`. */
export function createVerifications(context: Context, journal: Journal): Verifications {
  const readRecords = createReader(context);
  const readLines = createItemReader(context, csvSpeller);

  /** What is older than the retention is not shown, though it may not be removed yet: unless the clock is wrong. */
  function visible(query: RecordsQuery): RecordsQuery {
    const { clock, clockWatch, retentionDays } = context;
    if (!clockWatch.mayPurge) return query;
    const horizon = clock.now() - retentionDays * RESOLUTION_MS.day;
    return { ...query, from_ms: Math.max(query.from_ms ?? horizon, horizon) };
  }

  function toQuery(filter: VerificationFilter & PageRequest, actor: Actor): RecordsQuery {
    const { agent_id, verdict, reason, environment, dry_run, limit } = filter;
    refuseAny([
      ...agentIdErrors(agent_id),
      ...dryRunErrors(dry_run),
      ...rangeErrors(filter),
      ...limitErrors(limit),
    ]);
    const { from, to } = readRange(filter);
    return {
      account_id: accountOf(context, actor),
      ...(agent_id !== undefined && { agent_id }),
      ...(verdict !== undefined && { verdict }),
      ...(reason !== undefined && { reason }),
      ...(environment !== undefined && { environment }),
      ...(dry_run !== undefined && { dry_run }),
      ...(from !== undefined && { from_ms: from }),
      ...(to !== undefined && { to_ms: to }),
    };
  }

  return {
    async list(request = {}, options = {}) {
      const { limit, cursor } = request;
      const query = toQuery(request, options);
      await journal.settle(query.account_id);
      const source: PageSource<VerdictRecord, VerdictRecord, Position> = {
        query: ['verifications', JSON.stringify(query)],
        read: (most, after) => readRecords(visible(query), most, after),
        positionOf: ({ evaluated_at: created_at, decision_id: id }) => ({ created_at, id }),
        show: (record) => record,
      };
      const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
      return readPage(context, source, page, options);
    },

    async csv(filter = {}, { signal, ...actor } = {}) {
      const query = toQuery(filter, actor);
      await journal.settle(query.account_id);
      const readNext = (after?: Position) => {
        assertWanted(signal);
        return readLines(visible(query), CSV_PAGE, after);
      };
      return lines(await readNext(), readNext);
    },
  };
}

/** The error of what is neither true nor false: the text "false" would stand for dry runs alone. */
function dryRunErrors(dryRun: unknown): readonly FieldError[] {
  if (dryRun === undefined || typeof dryRun === 'boolean') return [];
  return [{ path: '/dry_run', code: 'invalid_type', message: mustBe('/dry_run') }];
}

async function* lines(
  first: Piece<string>,
  read: (after: Position) => Promise<Piece<string>>,
): AsyncIterable<string> {
  yield CSV_HEADER;
  let piece = first;
  for (;;) {
    const text = piece.records.join('');
    if (text !== '') yield text;
    if (piece.next === null) return;
    piece = await read(piece.next);
  }
}
