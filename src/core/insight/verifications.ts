/** Reads the journal, page by page or as one CSV. */

import type { Pages } from '../../base/pages.ts';
import { isSubject } from '../../base/values/subject.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { anyOf, OUTCOME_STATES } from '../../base/values/vocabulary.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { RoomCode } from '../../operations/room-code.ts';
import type { Position } from '../../ports/queries.ts';
import type { RecordedVerdict } from '../../records/outcome.ts';
import type { Environment, Page, VerdictRecord } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import { type RangeRequest, rangeErrors, readRange } from '../../schema/instant-range.ts';
import type { Journal } from '../journal/journal.ts';
import type { Piece, RecordsQuery } from '../journal/read/reader.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import type { Actor } from '../shared/callers.ts';
import { assertWanted, type CallOptions } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { limitErrors, type PageRequest, type PageSource, readPage } from '../shared/pages.ts';
import { CSV_HEADER, type CsvCells, csvLine, csvSpeller } from './csv.ts';
import { createReportedReader, type OutcomeState, type Reported } from './reported.ts';

/** A filter for verdicts. */
export interface VerificationFilter extends RangeRequest {
  /** Only verdicts about this agent. */
  readonly agent_id?: string;
  /** Only verdicts with this result. */
  readonly verdict?: 'ALLOW' | 'DENY';
  /** Only verdicts with a reason that has this code. */
  readonly reason?: string;
  /** Only verdicts for API keys of this environment. */
  readonly environment?: Environment;
  /** `true` for dry runs only, `false` for no dry runs. */
  readonly dry_run?: boolean;
  /** Only verdicts for this subject, in the exact spelling of the intent. */
  readonly subject?: string;
  /** Only verdicts with this outcome. `none` selects every ALLOW without a reported outcome, except dry runs. */
  readonly outcome?: OutcomeState;
}

/** Reads the verdicts of an account, newest first. */
export interface Verifications<Options = CallOptions> {
  /**
   * Returns a page. If few records match, the page may be short or empty although `has_more` is true, because each call
   * searches only a part of the records.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter, limit or cursor.
   */
  list(
    query?: VerificationFilter & PageRequest,
    options?: Options & CallOptions,
  ): Pages<Page<RecordedVerdict>>;
  /**
   * Yields lines of CSV (RFC 4180), the header first, one page at a time. Reads the first page before it resolves.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter.
   */
  csv(filter?: VerificationFilter, options?: Options & CallOptions): Promise<AsyncIterable<string>>;
}

const CSV_PAGE = 1_000;

/** Creates the reader of the verdicts in the journal. */
export function createVerifications(
  context: Pick<
    Context,
    'store' | 'caches' | 'clock' | 'clockWatch' | 'seal' | 'session' | 'retentionDays' | 'log'
  >,
  journal: Journal,
): RoomCode<Omit<Verifications<Actor>, 'receipt'>> {
  const readRecords = createReportedReader(context, (view) => view.record);
  const readLines = createReportedReader(context, csvSpeller);

  /** Hides records that are past the retention but not yet removed, unless the clock is wrong. */
  function visible(query: RecordsQuery): RecordsQuery {
    const { clock, clockWatch, retentionDays } = context;
    if (!clockWatch.mayPurge()) return query;
    const retainedFrom = clock.now() - retentionDays * RESOLUTION_MS.day;
    return { ...query, from_ms: Math.max(query.from_ms ?? retainedFrom, retainedFrom) };
  }

  function toQuery(filter: VerificationFilter & PageRequest, actor: Actor): RecordsQuery {
    const { agent_id, verdict, reason, environment, dry_run, subject, outcome, limit } = filter;
    refuseAny([
      ...agentIdErrors(agent_id),
      ...dryRunErrors(dry_run),
      ...subjectErrors(subject),
      ...outcomeErrors(outcome),
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
      ...(subject !== undefined && { subject }),
      ...(from !== undefined && { from_ms: from }),
      ...(to !== undefined && { to_ms: to }),
    };
  }

  return {
    async list(request = {}, options = {}) {
      const { limit, cursor } = request;
      const query = toQuery(request, options);
      await journal.settle(query.account_id);
      const { outcome } = request;
      const source: PageSource<Reported<VerdictRecord>, RecordedVerdict, Position> = {
        query: ['verifications', JSON.stringify(query), outcome ?? ''],
        read: (limit, positionAfter) => readRecords(visible(query), limit, positionAfter, outcome),
        positionOf: ({ item: { evaluated_at: created_at, decision_id: id } }) => ({ created_at, id }),
        show: ({ item, outcome }) => ({ ...item, outcome }),
        // Few of those that are read may have it.
        ...(outcome !== undefined && { keep: () => true }),
      };
      const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
      return readPage(context, source, page, options);
    },

    async csv(filter = {}, { signal, ...actor } = {}) {
      const query = toQuery(filter, actor);
      await journal.settle(query.account_id);
      const readNext = (positionAfter?: Position) => {
        assertWanted(signal);
        return readLines(visible(query), CSV_PAGE, positionAfter, filter.outcome);
      };
      return lines(await readNext(), readNext);
    },
  };
}

function outcomeErrors(outcome: unknown): readonly FieldError[] {
  if (outcome === undefined || OUTCOME_STATES.some((state) => state === outcome)) return [];
  return [{ path: '/outcome', code: 'not_allowed', message: `This must be ${anyOf(OUTCOME_STATES)}.` }];
}

/** Returns an error if the value is not a boolean, because the text "false" would count as true. */
function dryRunErrors(dryRun: unknown): readonly FieldError[] {
  if (dryRun === undefined || typeof dryRun === 'boolean') return [];
  return [{ path: '/dry_run', code: 'invalid_type', message: mustBe('/dry_run') }];
}

function subjectErrors(subject: unknown): readonly FieldError[] {
  if (subject === undefined || isSubject(subject)) return [];
  return [{ path: '/subject', code: 'invalid_format', message: mustBe('/subject') }];
}

async function* lines(
  first: Piece<Reported<CsvCells>>,
  read: (positionAfter: Position) => Promise<Piece<Reported<CsvCells>>>,
): AsyncIterable<string> {
  yield CSV_HEADER;
  let piece = first;
  for (;;) {
    const text = piece.records.map(({ item, outcome }) => csvLine(item, outcome)).join('');
    if (text !== '') yield text;
    if (piece.next === null) return;
    piece = await read(piece.next);
  }
}
