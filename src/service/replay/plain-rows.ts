/** The rows of a replay that dictionaries judge and count; all others are judged one by one. */
import type { BlockView } from '../../blocks/index.ts';
import type { AskedRow, ReadAsked } from './asked-row.ts';
import { NOTHING_DENIES } from './budget-fold.ts';
import type { PassportChain } from './chains.ts';
import {
  ALLOWED,
  ALLOWED_UNPATCHED,
  createDictionaryJudge,
  type JudgeRows,
  LEFT,
} from './dictionary-judge.ts';
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
  readonly judge: JudgeRows;
  /** Counts a row that was judged so; false when more of it is counted than `judged` says. */
  count(place: number, judged: number): boolean;
}

/** A verdict of which no more than that is counted. */
const DENY: Replayed = { verdict: 'DENY', reasons: [], unknown: undefined };
const ALL_LEFT = new Uint8Array(ROWS_AT_ONCE).fill(LEFT);
const NONE: PlainRows = { judge: () => ALL_LEFT, count: () => false };

/** Makes what judges and counts the rows of a block, of which `read` reads the questions. */
export function createPlainRows(parts: PlainRowsParts): (view: BlockView, read: ReadAsked) => PlainRows {
  const { request, after, before, askHost, start, tally, makeJudge = createDictionaryJudge } = parts;
  // The versions that records name are not those of the chains.
  const judgeBlock = request.isRecorded ? undefined : makeJudge(after, before);
  if (judgeBlock === undefined) return () => NONE;

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

  return (view, read) => {
    const { times, actions, targets, amounts } = view;
    const shapes = view.reasons.numbers;
    const isAllowed = view.reasons.shapes.map(({ codes }) => codes.length === 0);
    const isActionNoted = new Uint8Array(actions.texts.length);
    const isTargetNoted = new Uint8Array(targets.texts.length);
    function noteUse(place: number): void {
      const action = actions.numbers[place] as number;
      const target = targets.numbers[place] as number;
      const amount = amounts.at(place);
      if (isActionNoted[action] && isTargetNoted[target]) {
        tally.noteAmount(amount);
        return;
      }
      isActionNoted[action] = 1;
      isTargetNoted[target] = 1;
      const targetText = target === 0 ? undefined : targets.texts[target];
      tally.noteUse(actions.texts[action] as string, targetText, amount);
    }
    return {
      judge: judgeBlock(view),
      count(place, judged) {
        if (judged === LEFT) return false;
        const was = isAllowed[shapes[place] as number] === true;
        const is = (judged & ALLOWED) !== 0;
        // The reasons of what is now denied are counted and shown.
        if (was && !is) return false;
        if (judged !== 0 && askHost !== undefined && !hostAgrees(askHost, read(place), judged)) return false;
        const unpatched = (judged & ALLOWED_UNPATCHED) !== 0;
        if ((times[place] as number) < start) return true;
        if (was) noteUse(place);
        if (is === was && is === unpatched) tally.addUnchanged(view, place, is);
        else tally.add({ view, place }, was, is ? NOTHING_DENIES : DENY, unpatched ? NOTHING_DENIES : DENY);
        return true;
      },
    };
  };
}
