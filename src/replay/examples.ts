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

export function createNewest(limit: number): NewestExamples {
  // The oldest first. Nearly every record is newer than all before it.
  const keptList: Kept[] = [];

  function isAfter(ms: number, { view, place }: RowPlace, otherEntry: Kept): boolean {
    if (ms !== otherEntry.ms) return ms > otherEntry.ms;
    // The rows of a block are in this order already.
    if (view === otherEntry.view) return place > otherEntry.place;
    return (
      view.decisionId(place) >
      (otherEntry.record?.decision_id ?? otherEntry.view.decisionId(otherEntry.place))
    );
  }

  return {
    add(row, { verdict, reasons, unknown }) {
      if (limit === 0) return;
      const ms = row.view.times[row.place] as number;
      const [oldest] = keptList;
      if (keptList.length === limit && oldest !== undefined && !isAfter(ms, row, oldest)) return;
      let index = keptList.length;
      while (index > 0 && !isAfter(ms, row, keptList[index - 1] as Kept)) index -= 1;
      const { view, place } = row;
      keptList.splice(index, 0, { view, place, verdict, reasons, unknown, ms, record: undefined });
      if (keptList.length > limit) keptList.shift();
    },
    read(view) {
      for (const [index, entry] of keptList.entries()) {
        if (entry.view !== view || entry.record !== undefined) continue;
        keptList[index] = { ...entry, record: view.record(entry.place), view: CLOSED };
      }
    },
    all: () =>
      keptList.toReversed().map(({ record, view, place, verdict, reasons, unknown }) => ({
        record: record ?? view.record(place),
        verdict,
        reasons,
        unknown: unknown ?? null,
      })),
  };
}

/** Replaces a block after its record was read, so that the block's bytes are not kept in memory. */
const CLOSED = { times: [] } as unknown as BlockView;
