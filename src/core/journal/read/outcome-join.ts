/**
 * Finds the reported outcomes of verdicts. If a verdict has several reports, the first that is not `unknown` counts.
 */

import { turn } from '../../../base/async/turns.ts';
import { formatInstant } from '../../../base/values/instant.ts';
import {
  filterHashes,
  type OutcomeColumns,
  type OutcomeReport,
  openBlock,
} from '../../../journal-format/index.ts';
import {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  type BlockPlace,
  type JournalStorage,
  MAX_LISTED_BLOCKS,
} from '../../../ports/journal.ts';
import type { Outcome, RecordedOutcome } from '../../../records/outcome.ts';
import type { Environment } from '../../../records.ts';
import { loadedBlocks } from '../../shared/loaded-blocks.ts';
import type { ReadBlock } from '../damage.ts';

export interface ReportedVerdict {
  readonly decision_id: string;
  /** The instant of the verdict, in milliseconds since the Unix epoch. */
  readonly ms: number;
  readonly agent_id: string;
  readonly environment: Environment;
}

export interface JoinQuery {
  readonly account_id: string;
  readonly agent_id?: string | undefined;
}

/**
 * Finds the outcomes of verdicts, which are sorted newest first. May return outcomes for the first verdicts only, but
 * at least for one. If tool calls take long, many blocks contain outcomes of the same time. A shorter result then
 * avoids a late answer.
 */
export type JoinOutcomes = (
  query: JoinQuery,
  verdicts: readonly ReportedVerdict[],
) => Promise<readonly (RecordedOutcome | null)[]>;

const AT_ONCE = 64;
const MAX_RESTARTS = 10;

export function createOutcomeJoin(blocks: OutcomeBlocks): JoinOutcomes {
  return async (query, verdicts) => {
    let outcomes: readonly (RecordedOutcome | null)[] | undefined;
    for (let restarts = 0; outcomes === undefined && restarts < MAX_RESTARTS; restarts += 1)
      outcomes = await tryJoin(blocks, query, verdicts);
    return outcomes ?? [];
  };
}

async function tryJoin(
  blocks: OutcomeBlocks,
  { account_id, agent_id }: JoinQuery,
  verdicts: readonly ReportedVerdict[],
): Promise<readonly (RecordedOutcome | null)[] | undefined> {
  const [newest, oldest] = [verdicts[0], verdicts.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const span = { from_ms: oldest.ms, upto_ms: newest.ms };
  const join = createMatches(verdicts);
  for await (const { part, isLast } of partsOf(blocks, { account_id, agent_id, ...span })) {
    const columns = await blocks.open(part);
    if (columns === undefined) return undefined;
    await join.add(columns, span);
    if (isLast) break;
    // All other blocks end at or before the last of these.
    const belowMs = part.at(-1)?.to_ms ?? newest.ms;
    const knownCount = verdicts.filter(({ ms }) => ms > belowMs).length;
    if (knownCount > 0) return join.take(knownCount);
  }
  return join.take(verdicts.length);
}

async function* partsOf(blocks: OutcomeBlocks, range: OutcomeRange) {
  let headers: readonly BlockHeader[] = [];
  do {
    headers = await blocks.list(range, MAX_LISTED_BLOCKS, headers.at(-1));
    for (let start = 0; start < headers.length; start += AT_ONCE) {
      const isLast = start + AT_ONCE >= headers.length && headers.length < MAX_LISTED_BLOCKS;
      yield { part: headers.slice(start, start + AT_ONCE), isLast };
    }
  } while (headers.length >= MAX_LISTED_BLOCKS);
}

interface Span {
  readonly from_ms: number;
  readonly upto_ms: number;
}

interface Matches {
  add(columns: readonly OutcomeColumns[], span: Span): Promise<void>;
  take(count: number): readonly (RecordedOutcome | null)[];
}

function createMatches(verdicts: readonly ReportedVerdict[]): Matches {
  const byId = new Map(verdicts.map((verdict) => [verdict.decision_id, verdict]));
  const times = new Set(verdicts.map(({ ms }) => ms));
  const counting = new Map<string, OutcomeReport>();

  function see(report: OutcomeReport): void {
    const { decision_id, evaluated_ms, agent_id, environment } = report;
    const verdict = byId.get(decision_id);
    if (verdict === undefined || verdict.ms !== evaluated_ms) return;
    if (verdict.agent_id !== agent_id || verdict.environment !== environment) return;
    const knownReport = counting.get(decision_id);
    if (knownReport === undefined || countsBefore(report, knownReport)) counting.set(decision_id, report);
  }

  return {
    async add(columns, { from_ms, upto_ms }) {
      for (const outcomes of columns) {
        const { length, times: reportedNumbers } = outcomes;
        for (let place = firstFrom(reportedNumbers, from_ms); place < length; place += 1) {
          const ms = reportedNumbers[place] as number;
          if (ms > upto_ms) break;
          if (times.has(ms) && byId.has(outcomes.decisionId(place))) see(outcomes.report(place));
        }
        await turn();
      }
    },
    take: (count) => verdicts.slice(0, count).map(({ decision_id }) => toOutcome(counting.get(decision_id))),
  };
}

/** Orders the reports of one verdict. Every node gets the same order, whichever blocks contain the reports. */
function countsBefore(a: OutcomeReport, b: OutcomeReport): boolean {
  const [isLate, isOtherLate] = [a.outcome === 'unknown', b.outcome === 'unknown'];
  if (isLate !== isOtherLate) return isOtherLate;
  if (a.reported_ms !== b.reported_ms) return a.reported_ms < b.reported_ms;
  return textOf(a) < textOf(b);
}

function textOf({ outcome, code, key_id }: OutcomeReport): string {
  return JSON.stringify([outcome, code, key_id]);
}

function toOutcome(report: OutcomeReport | undefined): RecordedOutcome | null {
  if (report === undefined) return null;
  const { outcome, code, reported_ms, key_id } = report;
  return { outcome, code, reported_at: formatInstant(reported_ms), key_id };
}

function firstFrom(times: ArrayLike<number>, ms: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Loads blocks of outcomes. Their headers do not contain the number of reports, so the blocks must be
// decoded.

/** The verdicts for which reports are needed. Times are milliseconds since the Unix epoch. */
interface OutcomeRange {
  readonly account_id: string;
  readonly from_ms?: number;
  readonly upto_ms?: number;
  readonly agent_id?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

export interface OutcomeBlocks {
  list(range: OutcomeRange, limit: number, placeAfter?: BlockPlace): Promise<readonly BlockHeader[]>;
  open(headers: readonly BlockHeader[]): Promise<readonly OutcomeColumns[] | undefined>;
}

interface Decoded {
  readonly data: Uint8Array;
  readonly outcomes: OutcomeColumns;
}

/** The number of decoded blocks to keep, about 250 kB each. */
const MAX_KEPT = 16;

export function createOutcomeBlocks(journal: JournalStorage, readBlock: ReadBlock): OutcomeBlocks {
  const keptMap = new Map<string, Decoded>();

  function decode(block: Block): OutcomeColumns | undefined {
    const { writer, seq, account_id, data } = block;
    const key = `${writer}.${seq}.${account_id}`;
    const content = keptMap.get(key);
    if (content !== undefined && isSame(content.data, data)) return content.outcomes;
    const outcomes = readBlock(block, () => openBlock(data).outcomes);
    keptMap.delete(key);
    if (outcomes !== undefined) keptMap.set(key, { data, outcomes });
    for (const oldest of keptMap.keys()) {
      if (keptMap.size <= MAX_KEPT) break;
      keptMap.delete(oldest);
    }
    return outcomes;
  }

  return {
    list({ account_id, from_ms, upto_ms, agent_id, outcome }, limit, placeAfter) {
      const names = [
        ...(agent_id === undefined ? [] : [filterHashes('agent', agent_id)]),
        ...(outcome === undefined ? [] : [filterHashes('outcome', outcome)]),
      ];
      return journal.blocks({
        account_id,
        flags: BLOCK_FLAGS.outcomes,
        limit,
        ...(from_ms !== undefined && { from_ms }),
        ...(upto_ms !== undefined && { upto_ms }),
        ...(names.length > 0 && { names }),
        ...(placeAfter && { after: placeAfter }),
      });
    },
    async open(headers) {
      const columns: OutcomeColumns[] = [];
      for await (const block of loadedBlocks(journal, headers)) {
        if (block === undefined) return undefined;
        const outcomes = decode(block);
        if (outcomes !== undefined) columns.push(outcomes);
        await turn();
      }
      return columns;
    },
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = a.length - 1; index >= 0; index -= 1) if (a[index] !== b[index]) return false;
  return true;
}
