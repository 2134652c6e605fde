/**
 * Finds the reported outcomes of verdicts. If a verdict has several reports, the first that is not `unknown` counts.
 */
import { turn } from '../../../base/async/turns.ts';
import { formatInstant } from '../../../base/values/instant.ts';
import type { OutcomeColumns, OutcomeReport } from '../../../journal-format/index.ts';
import { MAX_LISTED_BLOCKS } from '../../../ports/journal.ts';
import type { RecordedOutcome } from '../../../records/outcome.ts';
import type { Environment } from '../../../records.ts';
import type { OutcomeBlocks } from './outcome-blocks.ts';

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
  let headers = await blocks.list({ account_id, agent_id, ...span }, MAX_LISTED_BLOCKS);
  for (;;) {
    for (let start = 0; start < headers.length; start += AT_ONCE) {
      const part = headers.slice(start, start + AT_ONCE);
      const columns = await blocks.open(part);
      if (columns === undefined) return undefined;
      await join.add(columns, span);
      const isLast = start + AT_ONCE >= headers.length && headers.length < MAX_LISTED_BLOCKS;
      if (isLast) break;
      // All other blocks end at or before the last of these.
      const belowMs = part.at(-1)?.to_ms ?? newest.ms;
      const knownCount = verdicts.filter(({ ms }) => ms > belowMs).length;
      if (knownCount > 0) return join.take(knownCount);
    }
    if (headers.length < MAX_LISTED_BLOCKS) return join.take(verdicts.length);
    headers = await blocks.list({ account_id, agent_id, ...span }, MAX_LISTED_BLOCKS, headers.at(-1));
  }
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
