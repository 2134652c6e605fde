/**
 * The fast way of a replay. Our rules look at one thing each, so `decide` is asked of each action, target and context of
 * a block once, and a row is a few tests of bits and a comparison of amounts. A row of which more decides (a proof, an
 * approval, a budget, a state, an objection of a rule of the host) is left to `judgeAgain`.
 */
import { type BoundedMap, createBoundedMap } from '../../base/bounded-map.ts';
import type { BlockView } from '../../blocks/index.ts';
import type { PassportChain } from './chains.ts';
import {
  allowsRow,
  type EntryKind,
  entryBits,
  isUnjudged,
  leastDecimals,
  type PlainPair,
  plainPair,
  unpatchedBits,
} from './dictionary-entries.ts';
import { ROWS_AT_ONCE } from './ordered-rows.ts';
import { codesIn, type RecordedCodes } from './recorded-reasons.ts';

/**
 * Judges the rows of a block from `from` to before `until`, at most `ROWS_AT_ONCE`; returns for each of them, up to the
 * next call, the sum of `ALLOWED` and `ALLOWED_UNPATCHED`, each where nothing denies the row; or `LEFT`.
 */
export type JudgeRows = (from: number, until: number) => Uint8Array;

/** The bit of a row that nothing denies now. */
export const ALLOWED = 1;
/** The bit of a row that nothing denies without the patch. */
export const ALLOWED_UNPATCHED = 2;
/** The mark of a row that is left to `judgeAgain`. */
export const LEFT = 4;

/** Makes what judges the rows of a block. */
export type JudgeBlock = (view: BlockView) => JudgeRows;

/** The most entries of each kind that are remembered, and the bytes that one block may take. */
const MAX_REMEMBERED = 65_536;
const MAX_BYTES = 1_048_576;

/** The answers on the dictionaries of a block about one agent, by the number of an entry; 0 where none was asked for. */
interface Answers {
  readonly of: PlainPair;
  readonly actions: Uint16Array;
  readonly targets: Uint16Array;
  readonly contexts: Uint16Array;
  /** By a context that was asked for: the most decimals of an amount. */
  readonly decimals: number[];
  readonly decimalsUnpatched: number[];
}

/**
 * Makes the fast way under these chains, and those without the patch where there is one; `undefined` when no agent can be
 * judged so.
 */
export function createDictionaryJudge(
  now: ReadonlyMap<string, PassportChain>,
  unpatched: ReadonlyMap<string, PassportChain> = now,
): JudgeBlock | undefined {
  const plain = new Map<string, PlainPair>();
  for (const [agent_id, chain] of now) {
    const pair = plainPair(agent_id, chain, unpatched.get(agent_id));
    if (pair !== undefined) plain.set(agent_id, pair);
  }
  if (plain.size === 0) return undefined;
  const remembered = createBoundedMap<string, number>(MAX_REMEMBERED);
  const judged = new Uint8Array(ROWS_AT_ONCE);
  return (view) => {
    const rows = openRows(view, plain, remembered);
    return (from, until) => {
      judgeRows(rows, from, until, judged);
      return judged;
    };
  };
}

/** The columns of a block that judge its rows. */
interface Rows {
  readonly times: ArrayLike<number>;
  readonly amounts: BlockView['amounts'];
  /** The numbers of the entries of each row. */
  readonly agents: ArrayLike<number>;
  readonly actions: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly contexts: ArrayLike<number>;
  /** By row: whether dictionaries may judge it. */
  readonly isPlain: Uint8Array;
  /** Returns the answers about an agent by its number; null where it has to be judged row by row. */
  answersOf(agent: number): Answers | null;
  /** Asks for those entries of a row that were not asked for yet. */
  askEntries(answers: Answers, action: number, target: number, context: number): void;
}

function openRows(
  view: BlockView,
  plain: ReadonlyMap<string, PlainPair>,
  remembered: BoundedMap<string, number>,
): Rows {
  const { times, agents, actions, targets, contexts, amounts } = view;
  const size = 2 * (actions.texts.length + targets.texts.length + contexts.values.length);
  let free = MAX_BYTES;
  const byAgent: (Answers | null | undefined)[] = agents.texts.map(() => undefined);

  function open(agent: number): Answers | null {
    const of = plain.get(agents.texts[agent] as string);
    free -= of === undefined ? 0 : size;
    if (of === undefined || free < 0) return null;
    const bits = (one: { readonly length: number }): Uint16Array => new Uint16Array(one.length);
    return {
      of,
      actions: bits(actions.texts),
      targets: bits(targets.texts),
      contexts: bits(contexts.values),
      decimals: [],
      decimalsUnpatched: [],
    };
  }

  function recall(of: PlainPair, kind: EntryKind, text: string | undefined): number {
    const name = `${kind} ${of.now.agent_id} ${text ?? ''}`;
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const bits = entryBits(of, kind, text);
    remembered.set(name, bits);
    return bits;
  }

  return {
    ...{ times, amounts, isPlain: plainRows(view) },
    agents: agents.numbers,
    actions: actions.numbers,
    targets: targets.numbers,
    contexts: contexts.numbers,
    answersOf(agent) {
      let answers = byAgent[agent];
      if (answers === undefined) {
        answers = open(agent);
        byAgent[agent] = answers;
      }
      return answers;
    },
    askEntries(answers, action, target, context) {
      const { of, decimals, decimalsUnpatched } = answers;
      const currency = contexts.values[context]?.currency ?? undefined;
      answers.actions[action] ||= recall(of, 'action', actions.texts[action]);
      answers.targets[target] ||= recall(of, 'target', target === 0 ? undefined : targets.texts[target]);
      answers.contexts[context] ||= recall(of, 'currency', currency);
      decimals[context] ??= leastDecimals(of.now, currency);
      decimalsUnpatched[context] ??= leastDecimals(of.unpatched, currency);
    },
  };
}

/** Returns by row whether it was judged as a whole, without a proof or an approval. */
function plainRows(view: BlockView): Uint8Array {
  const { length, proofs, approvals } = view;
  const { numbers } = view.reasons;
  const isWhole = Uint8Array.from(codesIn(view), (codes) => (isJudgedWhole(codes) ? 1 : 0));
  const rows = new Uint8Array(length);
  for (let place = 0; place < length; place += 1) rows[place] = isWhole[numbers[place] as number] as number;
  for (const named of [proofs, approvals]) {
    for (let place = 0; place < named.length; place += 1) if (named[place] != null) rows[place] = 0;
  }
  return rows;
}

/** Judges rows into `judged` as `JudgeRows` says. The function outlives a replay, so that the next one finds it compiled. */
function judgeRows(
  { times, amounts, agents, actions, targets, contexts, isPlain, answersOf, askEntries }: Rows,
  from: number,
  until: number,
  judged: Uint8Array,
): void {
  let known = -1;
  let answers: Answers | null = null;
  for (let place = from; place < until; place += 1) {
    judged[place - from] = LEFT;
    if (!isPlain[place]) continue;
    const agent = agents[place] as number;
    if (agent !== known) answers = answersOf(agent);
    known = agent;
    if (answers === null) continue;
    const action = actions[place] as number;
    const target = targets[place] as number;
    const context = contexts[place] as number;
    if (!(answers.actions[action] && answers.targets[target] && answers.contexts[context]))
      askEntries(answers, action, target, context);
    const bits =
      (answers.actions[action] as number) |
      (answers.targets[target] as number) |
      (answers.contexts[context] as number);
    if (isUnjudged(bits)) continue;
    const { of, decimals, decimalsUnpatched } = answers;
    const at = times[place] as number;
    const isAllowed = allowsRow(of.now, bits, at, amounts, place, decimals[context] as number);
    const isAllowedUnpatched =
      of.unpatched === of.now
        ? isAllowed
        : allowsRow(
            of.unpatched,
            unpatchedBits(bits),
            at,
            amounts,
            place,
            decimalsUnpatched[context] as number,
          );
    judged[place - from] = (isAllowed ? ALLOWED : 0) | (isAllowedUnpatched ? ALLOWED_UNPATCHED : 0);
  }
}

/** Says whether a record was judged as a whole, by what it shows. */
function isJudgedWhole(codes: RecordedCodes): boolean {
  const { isUnseen, isAmountInvalid, isCurrencyInvalid, isProofInvalid, isTooManyHolds, needsReasons } =
    codes;
  return !(
    isUnseen ||
    isAmountInvalid ||
    isCurrencyInvalid ||
    isProofInvalid ||
    isTooManyHolds ||
    needsReasons
  );
}
