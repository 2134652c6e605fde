import { actionSet, matchesAction } from '../base/values/action.ts';
import { compareAmounts } from '../base/values/money.ts';
import { matchesTarget, targetSet } from '../base/values/target.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import type { BlockView } from '../journal-format/index.ts';
import type { PassportReplay, ReplayExample, UnknownCode } from '../records/replay.ts';
import type { Amount, Reason, VerdictRecord } from '../records.ts';
import type { Replayed } from './shown-budgets.ts';

export type Counted = Pick<
  PassportReplay,
  | 'judged'
  | 'unchanged'
  | 'now_denied'
  | 'now_allowed'
  | 'unknown'
  | 'by_change'
  | 'reasons'
  | 'used'
  | 'examples'
>;

export interface ReplayTotals {
  add(row: RowPlace, wasAllowed: boolean, resultAfter: Replayed, resultBefore: Replayed): void;
  noteUse(action: string, target: string | undefined, amount: Amount | null | undefined): void;
  noteDryRun(): void;
  /** Keeps a block for its examples until a few newer blocks are closed. */
  close(view: BlockView): void;
  result(): Counted & { readonly records: number };
}

const KINDS = { ALLOW: 'allowed', DENY: 'denied' } as const;
const MAX_RECENT = 4;
const MAX_REMEMBERED = 65_536;

export function createTotals(passport: PassportRecord, examples: number): ReplayTotals {
  const kinds = {
    denied: createNewest(examples),
    allowed: createNewest(examples),
    unknown: createNewest(examples),
  };
  const uses = createUses(passport);
  const unknown: { [Code in UnknownCode]?: number } = {};
  const codes = new Map<string, number>();
  const counts = { judged: 0, unchanged: 0, now_denied: 0, now_allowed: 0 };
  const by_change = { now_denied: 0, now_allowed: 0 };
  let dryRuns = 0;
  const recent: RowPlace['view'][] = [];
  const releasedSet = new WeakSet<RowPlace['view']>();

  function keep(kind: keyof typeof kinds, row: RowPlace, result: Replayed): void {
    kinds[kind].add(row, result);
    if (releasedSet.has(row.view)) kinds[kind].read(row.view);
  }

  return {
    add(row, wasAllowed, resultAfter, resultBefore) {
      counts.judged += 1;
      const { verdict } = resultAfter;
      if (verdict === null) {
        const code = resultAfter.unknown ?? 'version';
        unknown[code] = (unknown[code] ?? 0) + 1;
        keep('unknown', row, resultAfter);
      } else if ((verdict === 'ALLOW') === wasAllowed) counts.unchanged += 1;
      else {
        const kind = KINDS[verdict];
        counts[`now_${kind}`] += 1;
        keep(kind, row, resultAfter);
        for (const code of new Set(resultAfter.reasons.map((reason) => reason.code)))
          codes.set(code, (codes.get(code) ?? 0) + 1);
      }
      if (verdict === null || resultBefore.verdict === null || verdict === resultBefore.verdict) return;
      by_change[`now_${KINDS[verdict]}`] += 1;
    },
    noteUse: uses.note,
    noteDryRun() {
      dryRuns += 1;
    },
    close(view) {
      // Most examples of a block are soon replaced by newer ones: their records need not be read.
      recent.push(view);
      const oldest = recent.length > MAX_RECENT ? recent.shift() : undefined;
      if (oldest === undefined) return;
      releasedSet.add(oldest);
      for (const kind of Object.values(kinds)) kind.read(oldest);
    },
    result: () => ({
      ...counts,
      records: counts.judged + dryRuns,
      unknown,
      by_change,
      reasons: [...codes]
        .map(([code, count]) => ({ code, count }))
        .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
      used: uses.result(),
      examples: newestFirst([...kinds.denied.all(), ...kinds.allowed.all(), ...kinds.unknown.all()]),
    }),
  };
}

function newestFirst(examples: readonly ReplayExample[]): readonly ReplayExample[] {
  const placeOf = ({ record }: ReplayExample): string => `${record.evaluated_at} ${record.decision_id}`;
  return examples.toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
}

function createUses({ allowed_actions, allowed_targets = [] }: PassportRecord) {
  const actions = createUse(allowed_actions, namesAction);
  const targets = createUse(allowed_targets, namesTarget);
  let highest: Amount | null = null;

  return {
    note(action: string, target: string | undefined, amount: Amount | null | undefined): void {
      actions.note(action);
      if (target !== undefined) targets.note(target);
      if (amount === undefined || amount === null) return;
      if (highest === null || compareAmounts(amount, highest) > 0) highest = amount;
    },
    result: (): Counted['used'] => ({
      unused: { allowed_actions: actions.unused(), allowed_targets: targets.unused() },
      highest_amount: highest,
    }),
  };
}

/** Creates the list of the entries of a passport, such as its allowed actions, that no record has matched yet. */
function createUse(
  entries: readonly string[],
  names: (entry: string) => (name: string) => boolean,
): { note(name: string): void; unused(): readonly string[] } {
  const leftMap = new Map(entries.map((entry) => [entry, names(entry)]));
  const seenNames = new Set<string>();
  return {
    note(name) {
      if (leftMap.size === 0 || seenNames.has(name)) return;
      if (seenNames.size < MAX_REMEMBERED) seenNames.add(name);
      for (const [entry, isNamed] of leftMap) if (isNamed(name)) leftMap.delete(entry);
    },
    unused: () => [...leftMap.keys()],
  };
}

function namesAction(entry: string): (name: string) => boolean {
  const set = actionSet([entry]);
  return (name) => matchesAction(set, name);
}

function namesTarget(entry: string): (name: string) => boolean {
  const set = targetSet([entry]);
  return (name) => matchesTarget(set, name);
}

// Keeps the newest examples of each kind. Reads the record of an example just before the block of the record
// is released.

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

interface ExampleResult {
  readonly verdict: ReplayExample['verdict'];
  readonly reasons: readonly Reason[];
  readonly unknown: UnknownCode | undefined;
}

interface Kept extends RowPlace, ExampleResult {
  readonly ms: number;
  record: VerdictRecord | undefined;
}

interface NewestExamples {
  add(row: RowPlace, result: ExampleResult): void;
  /** Reads the records of a block that is released afterwards. */
  read(view: RowPlace['view']): void;
  all(): readonly ReplayExample[];
}

function createNewest(limit: number): NewestExamples {
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
