/** The rows of a replay that dictionaries judge and count; all others are judged one by one. */
import type { BlockView } from '../../blocks/index.ts';
import type { AskedRow, ReadAsked } from './asked-row.ts';
import { NOTHING_DENIES } from './budget-fold.ts';
import type { PassportChain } from './chains.ts';
import { type CoveredRows, DRY_RUN, UNCOVERED } from './covered-rows.ts';
import { ALLOWED, ALLOWED_UNPATCHED, createDictionaryJudge, LEFT } from './dictionary-judge.ts';
import type { Replayed } from './folded-row.ts';
import type { AskHostRules } from './host-rules.ts';
import { ROWS_AT_ONCE } from './ordered-rows.ts';
import type { ReplayRequest } from './request.ts';
import type { Tally } from './tally.ts';

/** The passports, rules and counts of the rows. */
export interface PlainRowsParts {
  readonly request: ReplayRequest;
  /** The chains of all agents; those without the patch where there is one. */
  readonly after: ReadonlyMap<string, PassportChain>;
  readonly before: ReadonlyMap<string, PassportChain> | undefined;
  readonly askHost: AskHostRules | undefined;
  /** The first instant from which records count. */
  readonly start: number;
  readonly tally: Tally;
  readonly makeJudge: typeof createDictionaryJudge | undefined;
}

/** The rows of a block that dictionaries judge. */
export interface PlainRows {
  /** Judges the rows from `from` to before `until`, at most `ROWS_AT_ONCE`, for `count`. */
  judge(from: number, until: number): void;
  /**
   * Counts rows from `from` on, and passes over those that are not asked for. Returns the first of which more has to be
   * known, which is not counted; or `until`.
   */
  count(from: number, until: number): number;
}

/** A verdict of which no more than that is counted. */
const DENY: Replayed = { verdict: 'DENY', reasons: [], unknown: undefined };
const ALL_LEFT = new Uint8Array(ROWS_AT_ONCE).fill(LEFT);

/** Makes what judges and counts the rows of a block, of which `read` reads the questions. */
export function createPlainRows(
  parts: PlainRowsParts,
): (view: BlockView, covered: CoveredRows, read: ReadAsked) => PlainRows {
  const { request, after, before, askHost, start, tally, makeJudge = createDictionaryJudge } = parts;
  // The versions that records name are not those of the chains.
  const judgeBlock = request.isRecorded ? undefined : makeJudge(after, before);

  /** Says whether the rules of the host have nothing against what dictionaries allow. */
  function hostAgrees(ask: AskHostRules, asked: AskedRow, judged: number): boolean {
    const agrees = (chains: ReadonlyMap<string, PassportChain>): boolean => {
      const { passport } = chains.get(asked.agent_id) as PassportChain;
      const { reasons, unknown } = ask(passport, asked);
      return reasons.length === 0 && unknown === undefined;
    };
    return (
      (!(judged & ALLOWED) || agrees(after)) &&
      (!(judged & ALLOWED_UNPATCHED) || before === undefined || agrees(before))
    );
  }

  return (view, covered, read) => {
    const judgeRows = judgeBlock?.(view);
    const rows: CountedRows = {
      ...covered,
      ...{ view, times: view.times, amounts: view.amounts, start, tally },
      shapes: view.reasons.numbers,
      isAllowed: view.reasons.shapes.map(({ codes }) => codes.length === 0),
      hostAgrees: askHost && ((place, judged) => hostAgrees(askHost, read(place), judged)),
      ...usesOf(view, tally),
    };
    let judged: Uint8Array = ALL_LEFT;
    let first = 0;
    return {
      judge(from, until) {
        first = from;
        if (judgeRows !== undefined) judged = judgeRows(from, until);
      },
      count: (from, until) => countRows(rows, judged, first, from, until),
    };
  };
}

/** The rows of a block that are counted. */
interface CountedRows extends CoveredRows, Uses {
  readonly view: BlockView;
  readonly times: ArrayLike<number>;
  readonly amounts: BlockView['amounts'];
  readonly shapes: ArrayLike<number>;
  /** By the number of a shape of reasons: whether a record of it was allowed. */
  readonly isAllowed: readonly boolean[];
  readonly start: number;
  readonly tally: Tally;
  readonly hostAgrees: ((place: number, judged: number) => boolean) | undefined;
}

/** Does what `count` does; `judged` begins at `first`. The function outlives a replay, so that the next one finds it compiled. */
function countRows(
  rows: CountedRows,
  judged: Uint8Array,
  first: number,
  from: number,
  until: number,
): number {
  const { agents, contexts, isMember, kinds, times, amounts, shapes, isAllowed, start, tally } = rows;
  const { actions, targets, isActionNoted, isTargetNoted } = rows;
  let place = from;
  let highest = -1;
  for (; place < until; place += 1) {
    if (!isMember[agents[place] as number]) continue;
    const kind = kinds[contexts[place] as number];
    if (kind === UNCOVERED) continue;
    const isCounted = (times[place] as number) >= start;
    if (kind === DRY_RUN) {
      if (isCounted) tally.noteDryRun();
      continue;
    }
    const bits = judged[place - first] as number;
    if (bits === LEFT) break;
    const was = isAllowed[shapes[place] as number] === true;
    const is = (bits & ALLOWED) !== 0;
    // The reasons of what is now denied are counted and shown.
    if (was && !is) break;
    if (bits !== 0 && rows.hostAgrees !== undefined && !rows.hostAgrees(place, bits)) break;
    if (!isCounted) continue;
    if (was) {
      const action = actions[place] as number;
      const target = targets[place] as number;
      if (!(isActionNoted[action] && isTargetNoted[target])) rows.noteUse(action, target);
      const amount = amounts.cents[place] as number;
      if (amount < 0) tally.noteAmount(amounts.at(place));
      else if (amount > highest) highest = amount;
    }
    const unpatched = (bits & ALLOWED_UNPATCHED) !== 0;
    if (is === was && is === unpatched) tally.addUnchanged(rows.view, place, is);
    else {
      const after = is ? NOTHING_DENIES : DENY;
      const before = unpatched ? NOTHING_DENIES : DENY;
      tally.add({ view: rows.view, place }, was, after, before);
    }
  }
  if (highest >= 0) tally.noteAmount(highest / 100);
  return place;
}

/** The actions and targets of recorded ALLOWs, each of which is noted once a block. */
interface Uses {
  readonly actions: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  /** By number: 1 for what is noted. */
  readonly isActionNoted: Uint8Array;
  readonly isTargetNoted: Uint8Array;
  /** Notes an action and a target by their numbers. */
  noteUse(action: number, target: number): void;
}

function usesOf({ actions, targets }: BlockView, tally: Tally): Uses {
  const isActionNoted = new Uint8Array(actions.texts.length);
  const isTargetNoted = new Uint8Array(targets.texts.length);
  return {
    ...{ actions: actions.numbers, targets: targets.numbers, isActionNoted, isTargetNoted },
    noteUse(action, target) {
      isActionNoted[action] = 1;
      isTargetNoted[target] = 1;
      tally.noteUse(
        actions.texts[action] as string,
        target === 0 ? undefined : targets.texts[target],
        undefined,
      );
    },
  };
}
