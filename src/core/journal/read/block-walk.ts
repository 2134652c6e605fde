import type { BlockView } from '../../../journal-format/index.ts';
import type { Environment } from '../../../records.ts';

/** A filter on records. Times are milliseconds since the Unix epoch. */
export interface RecordFilter {
  readonly agent_id?: string;
  readonly verdict?: 'ALLOW' | 'DENY';
  readonly reason?: string;
  readonly environment?: Environment;
  readonly dry_run?: boolean;
  readonly subject?: string;
  /** The earliest `evaluated_at`, inclusive. `to_ms` is the end, exclusive. */
  readonly from_ms?: number;
  readonly to_ms?: number;
}

/**
 * A position in a list of records, newest first. The position precedes all older records, and records of the same time
 * with a lower id.
 */
export interface RecordPlace {
  readonly ms: number;
  readonly id: string;
}

/** A cursor over the records of a block. */
export interface BlockWalk {
  /** The time of the record. */
  readonly ms: number;
  readonly id: string;
  /** The index of the record in the block. */
  readonly place: number;
  /** Moves to the next record; returns `false` if there is none. */
  next(): boolean;
}

/** Creates a cursor at the first matching record after `placeAfter`; `undefined` if there is none. */
export function walkBlock(
  view: BlockView,
  filter: RecordFilter,
  placeAfter?: RecordPlace,
): BlockWalk | undefined {
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
  if (placeAfter !== undefined) place = placeBefore(view, placeAfter);
  return next() ? walk : undefined;
}

/** Says whether position `a` is newer than `b`. */
export function isNewer(a: RecordPlace, b: RecordPlace): boolean {
  return a.ms > b.ms || (a.ms === b.ms && a.id > b.id);
}

function placeBefore(view: BlockView, placeAfter: RecordPlace): number {
  let low = 0;
  let high = view.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ms = view.times[middle] as number;
    const isOlder = ms < placeAfter.ms || (ms === placeAfter.ms && view.decisionId(middle) < placeAfter.id);
    if (isOlder) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ALWAYS_FALSE = (): boolean => false;

function matcherOf(view: BlockView, filter: RecordFilter): ((place: number) => boolean) | undefined {
  const {
    agent_id,
    verdict,
    reason,
    environment,
    dry_run,
    subject,
    from_ms = 0,
    to_ms = Number.POSITIVE_INFINITY,
  } = filter;
  const { times, agents, contexts, reasons, subjects } = view;
  const agent = agent_id === undefined ? -1 : agents.texts.indexOf(agent_id);
  if (agent_id !== undefined && agent < 0) return undefined;
  const wantedNumber = subject === undefined ? -1 : subjects.texts.indexOf(subject);
  if (subject !== undefined && wantedNumber < 0) return undefined;
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
      (wantedNumber < 0 || subjects.numbers[place] === wantedNumber) &&
      isAskedSo[contexts.numbers[place] as number] === true &&
      hasReasons[reasons.numbers[place] as number] === true &&
      ms >= from_ms &&
      ms < to_ms
    );
  };
}
