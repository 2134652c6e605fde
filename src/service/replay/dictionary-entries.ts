/** The answers of `decide` about the entries of dictionaries: an action, a target, a currency. */
import { compareAmounts, readAmount } from '../../base/values/money.ts';
import type { BlockView } from '../../blocks/index.ts';
import type { Amount, Intent } from '../../records.ts';
import { DEFERRED } from '../../verdict/budgets.ts';
import { decide } from '../../verdict/index.ts';
import { decimalsIn, type Policy, readCurrency } from '../../verdict/policy.ts';
import { type PassportChain, policyIn } from './chains.ts';

/** The bits of an entry: that it was asked for, when it denies, and that more would have to be known. */
const ASKED = 1;
const DENIES = 2;
const DENIES_WITHOUT_AMOUNT = 4;
const DENIES_WITH_AMOUNT = 8;
const UNJUDGED = 16;
/** The bits of the unpatched chain stand above those of the chain of now. */
const SHIFT = 8;
const EITHER_UNJUDGED = UNJUDGED | (UNJUDGED << SHIFT);

/** The rules that look at an entry of each dictionary; those of amounts and times are compared row by row. */
const OF_ACTION: ReadonlySet<string> = new Set(['action_denied', 'action_not_allowed']);
const OF_TARGET: ReadonlySet<string> = new Set(['target_invalid', 'target_required', 'target_not_allowed']);
const OF_CURRENCY: ReadonlySet<string> = new Set(['currency_invalid', 'currency_mismatch']);
const OF_ROW: ReadonlySet<string> = new Set(['agent_expired', 'agent_not_yet_valid', 'amount_required']);

/** A chain that can be judged by dictionaries. */
export interface PlainChain {
  readonly agent_id: string;
  readonly chain: PassportChain;
  readonly policies: readonly Policy[];
  /** The least limit of them, and the most cents that are not above it. */
  readonly limit: Amount;
  readonly limitCents: number;
  /** The times between which all passports are valid. */
  readonly from: number;
  readonly until: number;
}

/** The chains that judge an agent: of now, and without the patch. */
export interface PlainPair {
  readonly now: PlainChain;
  readonly unpatched: PlainChain;
}

/** Returns the chains of an agent; `undefined` when one of them has to be judged row by row. */
export function plainPair(
  agent_id: string,
  now: PassportChain,
  unpatched: PassportChain | undefined,
): PlainPair | undefined {
  const one = plainChain(agent_id, now);
  const other = unpatched === now ? one : unpatched && plainChain(agent_id, unpatched);
  return one && other && { now: one, unpatched: other };
}

function plainChain(agent_id: string, chain: PassportChain): PlainChain | undefined {
  const policies = chain.all.map(policyIn).filter((policy) => policy !== undefined);
  const isPlain = policies.length === chain.all.length && chain.proof === 0 && !chain.wantsApproval;
  if (!isPlain || chain.hasBudgets) return undefined;
  const from = Math.max(...policies.map(({ times }) => times.not_before));
  const until = Math.min(...policies.map(({ times }) => times.expires_at));
  const [limit = 0] = policies.map((policy) => policy.limit).sort(compareAmounts);
  return { agent_id, chain, policies, limit, limitCents: centsWithin(limit), from, until };
}

/** Returns the decimals that every passport admits in an amount of this currency. */
export function leastDecimals({ policies }: PlainChain, currency: string | undefined): number {
  return Math.min(...policies.map((policy) => decimalsIn(policy, readCurrency(currency, policy))));
}

/** The kinds of entries. */
export type EntryKind = 'action' | 'target' | 'currency';

const ASK: Readonly<Record<EntryKind, (of: PlainChain, text: string | undefined) => number>> = {
  action: askAction,
  target: askTarget,
  currency: askCurrency,
};

/** Returns the bits of an entry: what `decide` says of it under both chains. */
export function entryBits({ now, unpatched }: PlainPair, kind: EntryKind, text: string | undefined): number {
  const bits = ASK[kind](now, text);
  const bitsUnpatched = unpatched === now ? bits : ASK[kind](unpatched, text);
  return ASKED | bits | (bitsUnpatched << SHIFT);
}

/** Says whether more than its entries would have to be known of a row with these bits. */
export function isUnjudged(bits: number): boolean {
  return (bits & EITHER_UNJUDGED) !== 0;
}

/** Returns the bits of the unpatched chain. */
export function unpatchedBits(bits: number): number {
  return bits >> SHIFT;
}

/** Says whether nothing denies a row under a chain of which the entries say these bits. */
export function allowsRow(
  { limit, limitCents, from, until }: PlainChain,
  bits: number,
  at: number,
  amounts: BlockView['amounts'],
  place: number,
  decimals: number,
): boolean {
  if (bits & DENIES || at < from || at >= until) return false;
  const cents = amounts.cents[place] as number;
  const amount = cents >= 0 ? undefined : amounts.at(place);
  if (amount === null) return !(bits & DENIES_WITHOUT_AMOUNT);
  if (bits & DENIES_WITH_AMOUNT) return false;
  // Most amounts are in cents and compared as such: as an `Amount`, each would take memory of the heap.
  if (amount === undefined)
    return cents <= limitCents && (decimals >= 2 || cents % (100 / 10 ** decimals) === 0);
  return readAmount(amount, decimals) !== null && compareAmounts(amount, limit) <= 0;
}

/** Returns the most cents that are not above a limit. */
function centsWithin(limit: Amount): number {
  // The amounts that blocks have in cents are below that.
  if (Number(limit) >= 1e13) return Number.POSITIVE_INFINITY;
  let cents = Math.round(Number(limit) * 100);
  while (compareAmounts(cents / 100, limit) > 0) cents -= 1;
  while (compareAmounts((cents + 1) / 100, limit) <= 0) cents += 1;
  return cents;
}

function askAction(of: PlainChain, action = ''): number {
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
