/**
 * The fast way of a replay. Our rules look at one thing each, so `decide` is asked of each action, target and context of
 * a block once, and a row is a few tests of bits and a comparison of amounts. A row of which more decides (a proof, an
 * approval, a budget, a state, an objection of a rule of the host) is left to `judgeAgain`.
 */
import { type BoundedMap, createBoundedMap } from '../../base/bounded-map.ts';
import { compareAmounts, readAmount } from '../../base/values/money.ts';
import type { BlockView } from '../../blocks/index.ts';
import type { Amount, Intent } from '../../records.ts';
import { DEFERRED } from '../../verdict/budgets.ts';
import { decide } from '../../verdict/index.ts';
import { decimalsIn, type Policy, readCurrency } from '../../verdict/policy.ts';
import { type PassportChain, policyIn } from './chains.ts';
import { codesIn, type RecordedCodes } from './recorded-reasons.ts';

/** Judges a row of a block by its place: whether nothing denies it. `undefined`: more has to be looked at. */
export type JudgeRow = (place: number) => boolean | undefined;

/** Makes what judges the rows of a block. */
export type JudgeBlock = (view: BlockView) => JudgeRow;

/** The bits of what `decide` said of an entry: that it was asked, and when it denies. */
const ASKED = 1;
const DENIES = 2;
const DENIES_WITHOUT_AMOUNT = 4;
const DENIES_WITH_AMOUNT = 8;
const UNJUDGED = 16;

/** The rules that look at an entry of each dictionary; those of amounts and times are compared row by row. */
const OF_ACTION: ReadonlySet<string> = new Set(['action_denied', 'action_not_allowed']);
const OF_TARGET: ReadonlySet<string> = new Set(['target_invalid', 'target_required', 'target_not_allowed']);
const OF_CURRENCY: ReadonlySet<string> = new Set(['currency_invalid', 'currency_mismatch']);
const OF_ROW: ReadonlySet<string> = new Set(['agent_expired', 'agent_not_yet_valid', 'amount_required']);

/** The most entries of each kind that are remembered, and the bytes that one block may take. */
const MAX_REMEMBERED = 65_536;
const MAX_BYTES = 1_048_576;

/** A chain that can be judged by dictionaries. */
interface PlainChain {
  readonly agent_id: string;
  readonly chain: PassportChain;
  readonly policies: readonly Policy[];
  /** The least limit of them. */
  readonly limit: Amount;
  /** The times between which all passports are valid. */
  readonly from: number;
  readonly until: number;
}

/** The answers on the dictionaries of a block under one chain, by the number of an entry; 0 where none was asked for. */
interface Answers {
  readonly of: PlainChain;
  readonly actions: Uint8Array;
  readonly targets: Uint8Array;
  readonly contexts: Uint8Array;
  /** By a context that was asked for: the most decimals of an amount. */
  readonly decimals: number[];
}

/** Makes the fast way under these chains; `undefined` when none of them can be judged so. */
export function createDictionaryJudge(chains: ReadonlyMap<string, PassportChain>): JudgeBlock | undefined {
  const plain = new Map([...chains].flatMap(([id, chain]) => plainChain(id, chain) ?? []));
  if (plain.size === 0) return undefined;
  const remembered = createBoundedMap<string, number>(MAX_REMEMBERED);
  return (view) => judgeRows(view, plain, remembered);
}

function plainChain(
  agent_id: string,
  chain: PassportChain,
): readonly (readonly [string, PlainChain])[] | undefined {
  const policies = chain.all.map(policyIn).filter((policy) => policy !== undefined);
  const isPlain = policies.length === chain.all.length && chain.proof === 0 && !chain.wantsApproval;
  if (!isPlain || chain.hasBudgets) return undefined;
  const from = Math.max(...policies.map(({ times }) => times.not_before));
  const until = Math.min(...policies.map(({ times }) => times.expires_at));
  const [limit = 0] = policies.map((policy) => policy.limit).sort(compareAmounts);
  return [[agent_id, { agent_id, chain, policies, limit, from, until }]];
}

function judgeRows(
  view: BlockView,
  plain: ReadonlyMap<string, PlainChain>,
  remembered: BoundedMap<string, number>,
): JudgeRow {
  const { times, agents, actions, targets, contexts, amounts, proofs, approvals } = view;
  const shapes = view.reasons.numbers;
  const isPlain = codesIn(view).map(isJudgedWhole);
  const size = actions.texts.length + targets.texts.length + contexts.values.length;
  let free = MAX_BYTES;
  const byAgent: (Answers | null | undefined)[] = [];

  function answersOf(agent: number): Answers | null {
    const of = plain.get(agents.texts[agent] as string);
    free -= of === undefined ? 0 : size;
    if (of === undefined || free < 0) return null;
    const bytes = (one: { readonly length: number }): Uint8Array => new Uint8Array(one.length);
    return {
      of,
      actions: bytes(actions.texts),
      targets: bytes(targets.texts),
      contexts: bytes(contexts.values),
      decimals: [],
    };
  }

  function recall(name: string, ask: () => number): number {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const bits = ask() | ASKED;
    remembered.set(name, bits);
    return bits;
  }

  return (place) => {
    if (!isPlain[shapes[place] as number] || proofs[place] != null || approvals[place] != null)
      return undefined;
    const agent = agents.numbers[place] as number;
    let answers = byAgent[agent];
    if (answers === undefined) {
      answers = answersOf(agent);
      byAgent[agent] = answers;
    }
    if (answers === null) return undefined;
    const { of } = answers;
    const action = actions.numbers[place] as number;
    const target = targets.numbers[place] as number;
    const context = contexts.numbers[place] as number;
    let bits = answers.actions[action] as number;
    if (bits === 0) {
      const text = actions.texts[action] as string;
      bits = recall(`a${of.agent_id} ${text}`, () => askAction(of, text));
      answers.actions[action] = bits;
    }
    let more = answers.targets[target] as number;
    if (more === 0) {
      const text = target === 0 ? undefined : (targets.texts[target] as string);
      more = recall(`t${of.agent_id} ${text ?? ''}`, () => askTarget(of, text));
      answers.targets[target] = more;
    }
    let last = answers.contexts[context] as number;
    if (last === 0) {
      const currency = contexts.values[context]?.currency ?? undefined;
      answers.decimals[context] = leastDecimals(of, currency);
      last = recall(`c${of.agent_id} ${currency ?? ''}`, () => askCurrency(of, currency));
      answers.contexts[context] = last;
    }
    bits |= more | last;
    if (bits & UNJUDGED) return undefined;
    const amount = amounts.at(place) ?? undefined;
    if (bits & (DENIES | (amount === undefined ? DENIES_WITHOUT_AMOUNT : DENIES_WITH_AMOUNT))) return false;
    const at = times[place] as number;
    if (at < of.from || at >= of.until) return false;
    return amount === undefined || isWithin(of.limit, amount, answers.decimals[context] as number);
  };
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

function isWithin(limit: Amount, amount: Amount, decimals: number): boolean {
  return readAmount(amount, decimals) !== null && compareAmounts(amount, limit) <= 0;
}

/** Returns the decimals that every passport admits in an amount of this currency. */
function leastDecimals({ policies }: PlainChain, currency: string | undefined): number {
  return Math.min(...policies.map((policy) => decimalsIn(policy, readCurrency(currency, policy))));
}

function askAction(of: PlainChain, action: string): number {
  const codes = codesOf(of, { action });
  return bitsOf(codes, OF_ACTION, DENIES) | (codes.includes('amount_required') ? DENIES_WITHOUT_AMOUNT : 0);
}

function askTarget(of: PlainChain, target: string | undefined): number {
  return bitsOf(codesOf(of, target === undefined ? {} : { target }), OF_TARGET, DENIES);
}

function askCurrency(of: PlainChain, currency: string | undefined): number {
  const without = bitsOf(codesOf(of, { parameters: { currency } }), OF_CURRENCY, DENIES_WITHOUT_AMOUNT);
  const withOne = bitsOf(
    codesOf(of, { parameters: { amount: 0, currency } }),
    OF_CURRENCY,
    DENIES_WITH_AMOUNT,
  );
  return without | withOne;
}

function bitsOf(codes: readonly string[], rules: ReadonlySet<string>, denies: number): number {
  return (codes.some((code) => rules.has(code)) ? denies : 0) | (codes.every(isOwn) ? 0 : UNJUDGED);
}

function isOwn(code: string): boolean {
  return OF_ACTION.has(code) || OF_TARGET.has(code) || OF_CURRENCY.has(code) || OF_ROW.has(code);
}

/** Returns the codes of the reasons against an intent of these members, also those of the passports above. */
function codesOf({ agent_id, chain }: PlainChain, asked: Partial<Intent>): readonly string[] {
  const { passport, ancestors } = chain;
  const intent = { agent_id, action: '', ...asked };
  const { reasons } = decide({ passport, intent, at: 0, ancestors, budgets: DEFERRED });
  return reasons.map(({ code, reason }) => (code === 'parent_denied' ? String(reason) : code));
}
