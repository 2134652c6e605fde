/** The rows of a replay that dictionaries judge and count; all others are judged one by one. */
import type { BlockView } from '../../blocks/index.ts';
import type { ReadAsked } from './asked-row.ts';
import { NOTHING_DENIES } from './budget-fold.ts';
import type { PassportChain } from './chains.ts';
import { createDictionaryJudge, type JudgeBlock, type JudgeRow } from './dictionary-judge.ts';
import type { Replayed } from './folded-row.ts';
import type { AskHostRules } from './host-rules.ts';
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

/** Counts a row by its place; false when dictionaries do not say all that is counted of it. */
export type CountPlain = (place: number) => boolean;

/** A verdict of which no more than that is counted. */
const DENY: Replayed = { verdict: 'DENY', reasons: [], unknown: undefined };
const NONE: CountPlain = () => false;

/** Makes what counts the rows of a block, of which `read` reads the questions. */
export function createPlainRows(parts: PlainRowsParts): (view: BlockView, read: ReadAsked) => CountPlain {
  const { request, after, before, askHost, start, tally, makeJudge = createDictionaryJudge } = parts;
  // The versions that records name are not those of the chains.
  if (request.isRecorded) return () => NONE;
  const judgeAfter = withHost(makeJudge(after), after, askHost);
  const judgeBefore = before === undefined ? judgeAfter : withHost(makeJudge(before), before, askHost);
  if (judgeAfter === undefined || judgeBefore === undefined) return () => NONE;
  return (view, read) => {
    const { times, actions, targets, amounts, reasons } = view;
    const judge = judgeAfter(view, read);
    const judgeWithout = judgeBefore === judgeAfter ? undefined : judgeBefore(view, read);
    const isAllowed = reasons.shapes.map(({ codes }) => codes.length === 0);
    const isActionNoted = new Uint8Array(actions.texts.length);
    const isTargetNoted = new Uint8Array(targets.texts.length);
    function noteUse(place: number): void {
      const action = actions.numbers[place] as number;
      const target = targets.numbers[place] as number;
      if (isActionNoted[action] && isTargetNoted[target]) {
        tally.noteAmount(amounts.at(place));
        return;
      }
      isActionNoted[action] = 1;
      isTargetNoted[target] = 1;
      tally.noteUse(
        actions.texts[action] as string,
        target === 0 ? undefined : targets.texts[target],
        amounts.at(place),
      );
    }
    return (place) => {
      const is = judge(place);
      const was = isAllowed[reasons.numbers[place] as number] === true;
      // The reasons of what is now denied are counted and shown.
      if (is === undefined || (was && !is)) return false;
      const isWithout = judgeWithout === undefined ? is : judgeWithout(place);
      if (isWithout === undefined) return false;
      if ((times[place] as number) < start) return true;
      if (was) noteUse(place);
      if (is === was && is === isWithout) tally.addUnchanged(view, place, is);
      else tally.add({ view, place }, was, is ? NOTHING_DENIES : DENY, isWithout ? NOTHING_DENIES : DENY);
      return true;
    };
  };
}

/** Judges the rows of a block by dictionaries, and by the rules of the host where those do not deny. */
type JudgeWithHost = (view: BlockView, read: ReadAsked) => JudgeRow;

/** Adds the rules of the host: a row to which they object, or of which they look at more, is judged as a whole. */
function withHost(
  judgeBlock: JudgeBlock | undefined,
  chains: ReadonlyMap<string, PassportChain>,
  askHost: AskHostRules | undefined,
): JudgeWithHost | undefined {
  if (judgeBlock === undefined || askHost === undefined) return judgeBlock;
  return (view, read) => {
    const judge = judgeBlock(view);
    return (place) => {
      const is = judge(place);
      if (is !== true) return is;
      const asked = read(place);
      const { passport } = chains.get(asked.agent_id) as PassportChain;
      const { reasons, unknown } = askHost(passport, asked);
      return reasons.length > 0 || unknown !== undefined ? undefined : true;
    };
  };
}
