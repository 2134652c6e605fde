/** Builds a test intent, and changes one member at a time, so that only one rule decides. */

import { isHost } from '../../base/values/agent-id.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { unitsAmount } from '../../base/values/money.ts';
import { type TargetSet, targetsWithin } from '../../base/values/target.ts';
import type { AgentHistory } from '../../records/asked.ts';
import type { AskedWith } from '../../records/comparison.ts';
import type { IntentUsage, ReasonCode } from '../../records.ts';
import type { PolicyBudget } from '../budgets.ts';
import type { OrderKind } from '../order.ts';
import { type Case, type Cases, casesOf, isSameCounter } from './cases.ts';
import { satisfying } from './conditions.ts';
import { sameOf, withValues } from './orders.ts';
import type { ReadableSide } from './side.ts';

interface Targets {
  /** A target that the allowing passport allows. The denying passport also allows it, if there is such a target. */
  readonly usual: string | undefined;
  readonly differing: readonly { readonly code: ReasonCode; readonly target: string | undefined }[];
}

const ANY_TARGET = 'did:example:any';
const ANY_HOST = 'did:web:*';
const LONGEST_HOST = 253;

function targetsOf(allowing: TargetSet | undefined, denying: TargetSet | undefined): Targets | undefined {
  const taken = new Set([...(allowing?.exact ?? []), ...(denying?.exact ?? [])]);
  const some = (entries: readonly string[]): string | undefined => {
    for (const entry of entries) {
      const target = targetIn(entry, taken);
      if (target !== undefined) return target;
    }
    return undefined;
  };
  const named = entriesOf(allowing);
  const ours = entriesOf(denying);
  if (allowing === undefined) {
    const elsewhere = unlisted(ANY_TARGET, taken);
    if (denying === undefined) return { usual: undefined, differing: [] };
    const differing = [
      { code: 'target_required', target: undefined },
      { code: 'target_not_allowed', target: elsewhere },
    ] as const;
    return { usual: some(ours), differing };
  }
  const first = some(named);
  if (first === undefined) return undefined;
  if (denying === undefined) return { usual: first, differing: [] };
  const isInside = targetsWithin([ours]);
  const isNamed = targetsWithin([named]);
  const outside = some(named.filter((entry) => !isInside(entry)));
  return {
    usual: some(named.filter(isInside)) ?? some(ours.filter(isNamed)) ?? first,
    differing: outside === undefined ? [] : [{ code: 'target_not_allowed', target: outside }],
  };
}

function entriesOf(set: TargetSet | undefined): readonly string[] {
  return set === undefined ? [] : [...set.exact, ...set.patterns.map((suffix) => ANY_HOST + suffix)];
}

/**
 * Returns a target that is in the entry but in no narrower entry. Returns `undefined` if the host of a pattern has no
 * room for a further label.
 */
function targetIn(entry: string, taken: ReadonlySet<string>): string | undefined {
  if (!entry.startsWith(ANY_HOST)) return entry;
  const suffix = entry.slice(ANY_HOST.length);
  const host = 'any'.slice(0, Math.max(0, LONGEST_HOST - suffix.length)) + suffix;
  return isHost(host) ? unlisted(`did:web:${host}`, taken) : undefined;
}

/** Returns the DID, or the DID with a path if a list contains the DID exactly. */
function unlisted(did: string, taken: ReadonlySet<string>): string {
  let path = '';
  for (let number = 1; taken.has(did + path); number += 1) path = `:${number}`;
  return did + path;
}

export interface ComparedPair {
  readonly allowing: ReadableSide;
  readonly denying: ReadableSide;
  readonly cases: Cases;
  readonly targets: Targets;
  /** A test intent that the first passport allows. The second passport also allows it, if there is such an intent. */
  readonly usual: Scene;
}

export interface Scene {
  readonly action: string;
  readonly target: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  readonly session: string | undefined;
  readonly usage: IntentUsage | undefined;
  readonly at: number;
  readonly allowed: AskedWith;
  readonly denied: AskedWith;
}

export interface Probe extends Scene {
  readonly code: ReasonCode;
  /**
   * `true` for a difference that no intent shows, because `decide` returns the same verdict with both
   * passports. For example, one passport may accept more issuers of tokens.
   */
  readonly isUnseen?: true;
}

/** The first and the last instant that RFC 3339 can represent. */
const FIRST = /* @__PURE__ */ Date.parse('0000-01-01T00:00:00.000Z');
const LAST = /* @__PURE__ */ Date.parse('9999-12-31T23:59:59.999Z');

export function pairOf(allowing: ReadableSide, denying: ReadableSide): ComparedPair | undefined {
  const span = spanOf(allowing);
  if (span.from >= span.end) return undefined;
  const targets = targetsOf(allowing.policy.targets, denying.policy.targets);
  if (targets === undefined) return undefined;
  const cases = casesOf(allowing, denying);
  if (cases.usual === undefined) return undefined;
  const target = targets.usual ?? (needs('target', allowing, denying) ? ANY_TARGET : undefined);
  const bare = { target, at: usualInstant(allowing, denying) };
  const pair = { allowing, denying, cases, targets };
  return { ...pair, usual: sceneOf({ allowing, denying }, cases.usual, bare) };
}

function needs(value: 'session' | 'target', ...sides: readonly ReadableSide[]): boolean {
  return sameOf(sides.map(({ policy }) => policy)).some(({ text }) => text === value);
}

export function sceneOf(
  { allowing, denying }: Pick<ComparedPair, 'allowing' | 'denying'>,
  { action, amount, currency, usage, isAsked }: Case,
  { target, at }: Pick<Scene, 'target' | 'at'>,
): Scene {
  const isBare = amount === undefined && currency === undefined;
  const money = {
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
  };
  const policies = [allowing.policy, denying.policy];
  const satisfied = satisfying(allowing.policy, denying.policy, action, isBare ? undefined : money);
  const parameters = withValues(satisfied, policies);
  const budgets = unspent(allowing, denying);
  const history = unhurried(allowing, denying);
  const kid = 'key';
  const needsProof = allowing.policy.proof + denying.policy.proof > 0;
  const asked: AskedWith = {
    ...(budgets !== undefined && { budgets: { [allowing.agent_id]: budgets } }),
    ...(history !== undefined && { history }),
    ...(isAsked && { approval: { state: 'approved' as const } }),
    ...(needsProof && { proof: { state: 'valid' as const, kid, bound: true } }),
  };
  return {
    action,
    target,
    parameters,
    session: needs('session', allowing, denying) ? 'session' : undefined,
    usage,
    at,
    allowed: asked,
    denied: asked,
  };
}

/**
 * The used parts of budgets by their names. An entry may have both units, because two passports may have different
 * budgets with the same name.
 */
type Uses = Readonly<Record<string, { readonly spent?: number | string; readonly count?: number }>>;

function unspent(allowing: ReadableSide, denying: ReadableSide): Uses | undefined {
  const uses: Record<string, Uses[string]> = Object.create(null);
  for (const { name, currency } of [allowing, denying].flatMap(({ policy }) => policy.budgets ?? [])) {
    uses[name] = { ...uses[name], ...(currency === null ? { count: 0 } : { spent: 0 }) };
  }
  return Object.keys(uses).length === 0 ? undefined : { ...uses };
}

/**
 * Returns a history with which each pace and each rule of order allows the next intent. Returns `undefined`
 * if the two passports have no such rules.
 */
function unhurried(allowing: ReadableSide, denying: ReadableSide): AgentHistory | undefined {
  const rules = [allowing, denying].flatMap(({ policy: { paces = [], orders = [] } }) => [
    ...paces,
    ...orders,
  ]);
  if (rules.length === 0) return undefined;
  return { [allowing.agent_id]: Object.fromEntries(rules.map(({ name }) => [name, null])) };
}

export function withDenied(
  { denying }: ComparedPair,
  scene: Scene,
  { name }: { readonly name: string },
): Scene {
  const { agent_id } = denying;
  const history = { [agent_id]: { ...scene.denied.history?.[agent_id], [name]: formatInstant(LAST) } };
  return { ...scene, denied: { ...scene.denied, history } };
}

export const ORDER_CODES: Readonly<Record<OrderKind, 'order_required' | 'order_forbidden'>> = {
  needs: 'order_required',
  forbids: 'order_forbidden',
  failed: 'order_forbidden',
};

export function withUse(pair: ComparedPair, scene: Scene, budget: PolicyBudget, units: number): Scene {
  const { name, currency, decimals } = budget;
  const use = currency === null ? { count: units } : { spent: unitsAmount(units, decimals) };
  const used = (asked: AskedWith): AskedWith => {
    const uses = asked.budgets?.[pair.allowing.agent_id];
    const budgets = { [pair.allowing.agent_id]: { ...uses, [name]: { ...uses?.[name], ...use } } };
    return { ...asked, budgets };
  };
  const isShared = pair.allowing.policy.budgets?.some((one) => isSameCounter(one, budget)) ?? false;
  return { ...scene, allowed: isShared ? used(scene.allowed) : scene.allowed, denied: used(scene.denied) };
}

export function spanOf({ policy }: ReadableSide): { readonly from: number; readonly end: number } {
  const { not_before, expires_at } = policy.times;
  return { from: Math.max(not_before, FIRST), end: Math.min(expires_at, LAST + 1) };
}

function usualInstant(allowing: ReadableSide, denying: ReadableSide): number {
  const [first, second] = [spanOf(allowing), spanOf(denying)];
  const both = { from: Math.max(first.from, second.from), end: Math.min(first.end, second.end) };
  const { from, end } = both.from < both.end ? both : first;
  return Math.min(Math.max(allowing.changed, from), end - 1);
}
