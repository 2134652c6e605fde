/**
 * Keeps the newest examples of each kind. Reads the record of an example just before the block of the record is
 * released.
 */
import type { BlockView } from '../journal-format/index.ts';
import type { ReplayExample, UnknownCode } from '../records/replay.ts';
import type { Reason, VerdictRecord } from '../records.ts';

export interface RowPlace {
  readonly view: Pick<BlockView, 'times' | 'decisionId' | 'record'>;
  readonly place: number;
}

/** Returns the same record in a form that does not keep the bytes of its block in memory. */
export function apart({ view, place }: RowPlace): RowPlace {
  const record = view.record(place);
  const { decision_id } = record;
  return {
    view: { times: [view.times[place] as number], decisionId: () => decision_id, record: () => record },
    place: 0,
  };
}

export interface ExampleResult {
  readonly verdict: ReplayExample['verdict'];
  readonly reasons: readonly Reason[];
  readonly unknown: UnknownCode | undefined;
}

interface Kept extends RowPlace, ExampleResult {
  readonly ms: number;
  record: VerdictRecord | undefined;
}

export interface NewestExamples {
  add(row: RowPlace, result: ExampleResult): void;
  /** Reads the records of a block that is released afterwards. */
  read(view: RowPlace['view']): void;
  all(): readonly ReplayExample[];
}

export function createNewest(most: number): NewestExamples {
  // The oldest first. Nearly every record is newer than all before it.
  const kept: Kept[] = [];

  function isAfter(ms: number, { view, place }: RowPlace, other: Kept): boolean {
    if (ms !== other.ms) return ms > other.ms;
    // The rows of a block are in this order already.
    if (view === other.view) return place > other.place;
    return view.decisionId(place) > (other.record?.decision_id ?? other.view.decisionId(other.place));
  }

  return {
    add(row, { verdict, reasons, unknown }) {
      if (most === 0) return;
      const ms = row.view.times[row.place] as number;
      const [oldest] = kept;
      if (kept.length === most && oldest !== undefined && !isAfter(ms, row, oldest)) return;
      let at = kept.length;
      while (at > 0 && !isAfter(ms, row, kept[at - 1] as Kept)) at -= 1;
      const { view, place } = row;
      kept.splice(at, 0, { view, place, verdict, reasons, unknown, ms, record: undefined });
      if (kept.length > most) kept.shift();
    },
    read(view) {
      for (const [index, one] of kept.entries()) {
        if (one.view !== view || one.record !== undefined) continue;
        kept[index] = { ...one, record: view.record(one.place), view: CLOSED };
      }
    },
    all: () =>
      kept.toReversed().map(({ record, view, place, verdict, reasons, unknown }) => ({
        record: record ?? view.record(place),
        verdict,
        reasons,
        unknown: unknown ?? null,
      })),
  };
}

/** Replaces a block after its record was read, so that the block's bytes are not kept in memory. */
const CLOSED = { times: [] } as unknown as BlockView;
