/** The records of one block that are asked for, the newest first. */
import type { BlockView } from '../../../blocks/index.ts';
import type { Environment } from '../../../records.ts';

/** Which records. Times are milliseconds since the Unix epoch. */
export interface RecordFilter {
  readonly agent_id?: string;
  readonly verdict?: 'ALLOW' | 'DENY';
  /** The code of one of the reasons. */
  readonly reason?: string;
  readonly environment?: Environment;
  readonly dry_run?: boolean;
  /** `from_ms <= evaluated_at < to_ms`. */
  readonly from_ms?: number;
  readonly to_ms?: number;
}

/** A place among records: before all that are older, and those of the same time with a lower id. */
export interface RecordPlace {
  readonly ms: number;
  readonly id: string;
}

/** A walk that stands at a record. */
export interface BlockWalk {
  /** When its record was made. */
  readonly ms: number;
  readonly id: string;
  /** Its place in the block. */
  readonly place: number;
  /** Goes on to the next record; `false` when there is none. */
  next(): boolean;
}

/** A walk at the first record that fits and stands after `after`; `undefined` when there is none. */
export function walkBlock(view: BlockView, filter: RecordFilter, after?: RecordPlace): BlockWalk | undefined {
  const { times } = view;
  const fits = matcherOf(view, filter) ?? ALWAYS_FALSE;
  let place = view.length;

  function next(): boolean {
    do place -= 1;
    while (place >= 0 && !fits(place));
    return place >= 0;
  }

  const walk: BlockWalk = {
    get ms() {
      return times[place] as number;
    },
    get id() {
      return view.decisionId(place);
    },
    get place() {
      return place;
    },
    next,
  };
  if (after !== undefined) place = placeBefore(view, after);
  return next() ? walk : undefined;
}

/** Whether `a` is newer than `b`. */
export function isNewer(a: RecordPlace, b: RecordPlace): boolean {
  return a.ms > b.ms || (a.ms === b.ms && a.id > b.id);
}

/** How many records of the block are older than `after`. */
function placeBefore(view: BlockView, after: RecordPlace): number {
  let low = 0;
  let high = view.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ms = view.times[middle] as number;
    const isOlder = ms < after.ms || (ms === after.ms && view.decisionId(middle) < after.id);
    if (isOlder) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ALWAYS_FALSE = (): boolean => false;

/** Judges a record by its numbers; `undefined` when none of the block can fit. */
function matcherOf(view: BlockView, filter: RecordFilter): ((place: number) => boolean) | undefined {
  const {
    agent_id,
    verdict,
    reason,
    environment,
    dry_run,
    from_ms = 0,
    to_ms = Number.POSITIVE_INFINITY,
  } = filter;
  const { times, agents, contexts, reasons } = view;
  const agent = agent_id === undefined ? -1 : agents.texts.indexOf(agent_id);
  if (agent_id !== undefined && agent < 0) return undefined;
  const isAskedSo = contexts.values.map(
    (context) =>
      (environment === undefined || context.environment === environment) &&
      (dry_run === undefined || context.dry_run === dry_run),
  );
  const hasReasons = reasons.shapes.map(
    ({ codes }) =>
      (reason === undefined || codes.includes(reason)) &&
      (verdict === undefined || (codes.length === 0) === (verdict === 'ALLOW')),
  );
  return (place) => {
    const ms = times[place] as number;
    return (
      (agent < 0 || agents.numbers[place] === agent) &&
      isAskedSo[contexts.numbers[place] as number] === true &&
      hasReasons[reasons.numbers[place] as number] === true &&
      ms >= from_ms &&
      ms < to_ms
    );
  };
}
