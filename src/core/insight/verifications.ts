/** Reads the journal, page by page or as one CSV. */

import type { Pages } from '../../base/pages.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { isSubject } from '../../base/values/subject.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { anyOf, OUTCOME_STATES } from '../../base/values/vocabulary.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { BlockView } from '../../journal-format/index.ts';
import type { RoomCode } from '../../operations/room-code.ts';
import type { Position } from '../../ports/journal.ts';
import type { Outcome, RecordedOutcome, RecordedVerdict } from '../../records/outcome.ts';
import type { Environment, Page, VerdictRecord } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import { type RangeRequest, rangeErrors, readRange } from '../../schema/instant-range.ts';
import { createBlockReader } from '../journal/damage.ts';
import type { Journal } from '../journal/journal.ts';
import {
  createOutcomeBlocks,
  createOutcomeJoin,
  type ReportedVerdict,
} from '../journal/read/outcome-join.ts';
import {
  createItemReader,
  type Piece,
  type ReadItems,
  type RecordsQuery,
  type Spell,
} from '../journal/read/reader.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import { type Actor, assertWanted, type CallOptions } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { limitErrors, type PageRequest, type PageSource, readPage } from '../shared/pages.ts';
import { CSV_HEADER, type CsvCells, csvLine, csvSpeller } from './csv.ts';

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

/** The outcome of a verdict, or `none`. `none` means an ALLOW without a reported outcome. Dry runs are left out. */
export type OutcomeState = Outcome | 'none';

/** An item with the reported outcome of its verdict. */
interface Reported<Item> {
  readonly item: Item;
  readonly outcome: RecordedOutcome | null;
}

type ReadReported<Item> = (
  query: RecordsQuery,
  limit: number,
  positionAfter: Position | undefined,
  wantedState: OutcomeState | undefined,
) => Promise<Piece<Reported<Item>>>;

interface Keyed<Item> {
  readonly item: Item;
  readonly verdict: ReportedVerdict;
}

const ABOVE_ALL_IDS = '~';

/** Creates a reader that formats each record with `spell`, and returns only the `wantedState` items. */
function createReportedReader<Item>(
  context: Pick<Context, 'store' | 'log'>,
  spell: Spell<Item>,
): ReadReported<Item> {
  const read: ReadItems<Keyed<Item>> = createItemReader(context, (view) => withVerdict(view, spell(view)));
  const { journal } = context.store;
  const blocks = createOutcomeBlocks(journal, createBlockReader(context.log));
  const join = createOutcomeJoin(blocks);

  /**
   * Returns the position of the newest verdict that can have the outcome. Reading starts there. Returns `null` if no
   * verdict has the outcome.
   */
  async function skip(
    { account_id, agent_id, from_ms, to_ms }: RecordsQuery,
    outcome: Outcome,
    positionAfter: Position | undefined,
  ): Promise<Position | undefined | null> {
    const upto_ms = positionAfter === undefined ? to_ms : Date.parse(positionAfter.created_at);
    const range = { account_id, agent_id, outcome, ...(from_ms !== undefined && { from_ms }) };
    const [latest] = await blocks.list({ ...range, ...(upto_ms !== undefined && { upto_ms }) }, 1);
    if (latest === undefined) return null;
    if (upto_ms !== undefined && latest.to_ms >= upto_ms) return positionAfter;
    return { created_at: formatInstant(latest.to_ms), id: ABOVE_ALL_IDS };
  }

  return async (askedQuery, limit, positionAfter, wantedState) => {
    const query = wantedState === 'none' ? unreported(askedQuery) : askedQuery;
    if (query === undefined) return { records: [], next: null };
    let begin: Position | undefined | null = positionAfter;
    if (wantedState !== undefined && wantedState !== 'none')
      begin = await skip(query, wantedState, positionAfter);
    if (begin === null) return { records: [], next: null };
    const { records, next } = await read(query, limit, begin);
    const outcomes = await join(
      query,
      records.map(({ verdict }) => verdict),
    );
    const joinedItems = records.slice(0, outcomes.length).map(({ item }, place) => {
      return { item, outcome: outcomes[place] ?? null };
    });
    const last = records[outcomes.length - 1];
    const isShort = outcomes.length < records.length;
    return {
      records:
        wantedState === undefined
          ? joinedItems
          : joinedItems.filter(({ outcome }) => isWanted(outcome, wantedState)),
      next: isShort ? ((last && positionOf(last.verdict)) ?? begin ?? null) : next,
    };
  };
}

function unreported(query: RecordsQuery): RecordsQuery | undefined {
  if (query.verdict === 'DENY' || query.dry_run === true) return undefined;
  return { ...query, verdict: 'ALLOW', dry_run: false };
}

function isWanted(outcome: RecordedOutcome | null, wantedState: OutcomeState): boolean {
  return (outcome?.outcome ?? 'none') === wantedState;
}

function positionOf({ ms, decision_id }: ReportedVerdict): Position {
  return { created_at: formatInstant(ms), id: decision_id };
}

function withVerdict<Item>(view: BlockView, itemOf: (place: number) => Item): (place: number) => Keyed<Item> {
  const { times, agents, contexts } = view;
  return (place) => ({
    item: itemOf(place),
    verdict: {
      decision_id: view.decisionId(place),
      ms: times[place] as number,
      agent_id: agents.texts[agents.numbers[place] as number] as string,
      environment: contexts.values[contexts.numbers[place] as number]?.environment ?? 'live',
    },
  });
}
