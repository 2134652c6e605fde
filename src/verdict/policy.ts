import { type ActionSet, actionSet, isActionEntry } from '../base/values/action.ts';
import { parseInstant } from '../base/values/instant.ts';
import {
  amountText,
  currencyCode,
  currencyDecimals,
  MAX_DECIMALS,
  readAmount,
} from '../base/values/money.ts';
import { PASSPORT_STATUSES } from '../base/values/passport-status.ts';
import { isDid, isTargetEntry, matchesTarget, type TargetSet, targetSet } from '../base/values/target.ts';
import type { PassportNote } from '../records/effective.ts';
import type { Amount, Instant, Passport, ProofRequirement, Verdict } from '../records.ts';
import { approvalOf, type PolicyApproval } from './approval.ts';
import { budgetsOf, type PolicyBudget } from './budgets.ts';
import { conditionsOf, type PolicyConditions } from './conditions.ts';
import { ordersOf, type PolicyOrder } from './order.ts';
import { type PolicyPace, pacesOf } from './pace.ts';
import { REQUIREMENTS } from './proof.ts';
import { demand, type Elements, entries } from './read.ts';

/**
 * The fields of a passport that the default rules read. Each field is checked, each list is prepared, and each instant
 * is a number.
 */
export interface Policy {
  readonly times: Times;
  readonly allowed: ActionSet | undefined;
  readonly denied: ActionSet | undefined;
  /** The actions that require an amount in the intent. */
  readonly monetary: ActionSet | undefined;
  /** The allowed targets. `undefined`: every target is allowed. */
  readonly targets: TargetSet | undefined;
  readonly limit: Amount;
  /** The limit as text for reasons. Formatting takes as long as a verdict, so the text is created once. */
  readonly limitText: string;
  readonly currency: string | null;
  /** The maximum number of decimals of an amount. `undefined`: it depends on the currency of the intent. */
  readonly decimals: number | undefined;
  /** The proof of possession that the agent must give: 0 for none, otherwise a value of `REQUIREMENTS`. */
  readonly proof: number;
  readonly budgets: readonly PolicyBudget[] | undefined;
  readonly approval: PolicyApproval | undefined;
  readonly conditions: PolicyConditions | undefined;
  readonly paces: readonly PolicyPace[] | undefined;
  readonly orders: readonly PolicyOrder[] | undefined;
  readonly parent: string | undefined;
  /** The parts that must be evaluated in addition to the default rules, as bits of `ASKS`. 0: none. */
  readonly asks: number;
}

/**
 * @internal The parts in addition to the default rules that can deny: `ancestors`, `more` (a proof, orders, paces,
 * budgets or approvals), and `conditions`.
 */
export const ASKS = { ancestors: 1, more: 2, conditions: 4 } as const;

export interface Times {
  readonly revoked: boolean;
  /** The end of the suspension. `-Infinity`: not suspended. `Infinity`: suspended without an end. */
  readonly suspended_until: number;
  readonly expires_at: number;
  readonly not_before: number;
  /** The instants in the spelling of the passport, for the details of reasons. */
  readonly spelled: Spelled;
  /** The verdicts that depend only on these times, by their denial bits. Each is stored when it is first needed. */
  readonly verdicts: Verdict[];
}

interface Spelled {
  readonly revoked_at: Instant | null;
  readonly suspended_until: Instant | null;
  readonly expires_at: Instant | null;
  readonly not_before: Instant | null;
}

const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = Number.NEGATIVE_INFINITY;

/** The times of passports that are always valid. Most passports share this object. */
const ANY_TIME: Times = {
  revoked: false,
  suspended_until: ALWAYS,
  expires_at: NEVER,
  not_before: ALWAYS,
  spelled: { revoked_at: null, suspended_until: null, expires_at: null, not_before: null },
  verdicts: [],
};

/**
 * Returns the policy of a passport. Throws if a field is missing or not valid by `PassportInput`. `elements` must
 * return the elements of a list in an array that never changes.
 */
export function policyOf(passport: Passport, elements: Elements): Policy {
  // Inherited members are not data, and hidden members would be missing from the copy.
  demand(Object.getOwnPropertyNames(passport).length === Object.keys(passport).length);
  const ownFields: { readonly [Field in keyof Passport]?: unknown } = Object.setPrototypeOf(
    { ...passport },
    null,
  );
  const {
    status,
    allowed_actions = null,
    denied_actions,
    monetary_actions = [],
    allowed_targets,
    monetary_limit_per_txn,
    currency: code,
    budgets: givenBudgets,
    approval: givenApproval,
    conditions: givenConditions,
    pace,
    order,
    revoked_at,
    suspended_until: suspensionEnds,
    expires_at: ends,
    not_before: starts,
    parent_agent_id,
    proof = 'optional',
    ...otherFields
  } = ownFields;
  assertNotEvaluated(otherFields);
  const parent = text(parent_agent_id) ?? undefined;
  const currency = text(code);
  const decimals = currency === null ? MAX_DECIMALS : currencyDecimals(currency);
  const limit = readAmount(monetary_limit_per_txn, decimals);
  const times = timesOf({ status, revoked_at, suspensionEnds, ends, starts });
  demand(decimals !== undefined && limit !== null);
  demand(typeof proof === 'string' && Object.hasOwn(REQUIREMENTS, proof));
  const monetary = entries(elements(monetary_actions), isActionEntry);
  const readWith = { currency, decimals, elements, hasMonetary: monetary.length > 0 };
  const budgets = budgetsOf(givenBudgets, readWith);
  const approval = approvalOf(givenApproval, readWith);
  const conditions = conditionsOf(givenConditions);
  const paces = pacesOf(pace, elements);
  const orders = ordersOf(order, pace);
  const isUncounted = budgets === undefined && paces === undefined && orders === undefined;
  const isPlain = isUncounted && approval === undefined && REQUIREMENTS[proof as ProofRequirement] === 0;
  return {
    times,
    allowed: actions(elements, allowed_actions),
    denied: actions(elements, denied_actions),
    monetary: actionSet(withRequired(monetary, budgets)),
    targets:
      allowed_targets === undefined
        ? undefined
        : targetSet(entries(elements(allowed_targets), isTargetEntry)),
    limit,
    limitText: amountText(limit),
    currency,
    decimals: currency === null ? undefined : decimals,
    proof: REQUIREMENTS[proof as ProofRequirement],
    budgets,
    approval,
    conditions,
    paces,
    orders,
    parent,
    asks:
      (parent === undefined ? 0 : ASKS.ancestors) |
      (isPlain ? 0 : ASKS.more) |
      (conditions === undefined ? 0 : ASKS.conditions),
  };
}

interface GivenTimes {
  readonly status: unknown;
  readonly revoked_at: unknown;
  readonly suspensionEnds: unknown;
  readonly ends: unknown;
  readonly starts: unknown;
}

function timesOf({ status, revoked_at, suspensionEnds, ends, starts }: GivenTimes): Times {
  const revocation = text(revoked_at ?? undefined);
  const suspensionEnd = text(suspensionEnds ?? undefined);
  const end = text(ends);
  const start = text(starts);
  const suspended_until = instant(suspensionEnd, NEVER);
  const expires_at = instant(end, NEVER);
  const not_before = instant(start, ALWAYS);
  demand(not_before < expires_at);
  // `expired` is shown but never stored: `expires_at` is evaluated instead.
  demand(
    PASSPORT_STATUSES.some((knownStatus) => knownStatus === status) && (status !== 'expired' || end !== null),
  );
  if (status === 'active' && end === null && start === null) return ANY_TIME;
  return {
    revoked: status === 'revoked',
    suspended_until: status === 'suspended' ? suspended_until : ALWAYS,
    expires_at,
    not_before,
    spelled: {
      revoked_at: revocation,
      suspended_until: suspensionEnd,
      expires_at: end,
      not_before: start,
    },
    verdicts: [],
  };
}

type NotEvaluated = 'agent_id' | PassportNote;

/** Fails to compile if a field of a passport is neither used by a rule nor listed in `NotEvaluated`. */
function assertNotEvaluated<Rest>(
  _: Rest & { readonly [Field in Exclude<keyof Rest, NotEvaluated>]: never },
): void {}

/** Returns the actions that require an amount: the actions of the passport, and of budgets that count amounts. */
function withRequired(monetary: readonly string[], budgets: readonly PolicyBudget[] = []): readonly string[] {
  const requiredNames = budgets.flatMap(({ requires }) => requires);
  return requiredNames.length === 0 ? monetary : [...new Set([...monetary, ...requiredNames])];
}

function actions(elements: Elements, list: unknown = []): ActionSet | undefined {
  return actionSet(entries(elements(list), isActionEntry));
}

function instant(spelledText: string | null, fallback: number): number {
  const atMs = spelledText === null ? fallback : parseInstant(spelledText);
  demand(atMs !== undefined);
  return atMs;
}

function text(value: unknown): string | null {
  demand(value === undefined || typeof value === 'string');
  return value ?? null;
}

/** @internal Reads the currency of the intent. Returns `null` for anything except an ISO 4217 code. */
export function readCurrency(currency: unknown, policy: Policy): string | null | undefined {
  if (currency === undefined) return undefined;
  return currency === policy.currency ? policy.currency : currencyCode(currency);
}

/**
 * @internal Reads the amount of the intent. Returns `null` if the amount is not an exact decimal in the valid range.
 * The currency of the passport sets the number of decimals. If the passport has no currency, the currency of the intent
 * sets the number.
 */
export function readAmountIn(
  amount: unknown,
  policy: Policy,
  currency: string | null | undefined,
): Amount | null | undefined {
  if (amount === undefined) return undefined;
  return readAmount(amount, decimalsIn(policy, currency));
}

/**
 * @internal Returns the maximum number of decimals of an amount, by the currency of the passport, or otherwise of the
 * intent.
 */
export function decimalsIn({ decimals }: Policy, currency: string | null | undefined): number {
  return decimals ?? (currency ? currencyDecimals(currency) : undefined) ?? MAX_DECIMALS;
}

/** @internal Returns `true` if the passport lists this target. */
export function isNamedTarget(target: unknown, { targets }: Policy): boolean {
  return targets !== undefined && typeof target === 'string' && matchesTarget(targets, target);
}

/**
 * @internal Reads the target of the intent. Returns `null` for anything except a DID. A target that the passport lists
 * is known to be a DID.
 */
export function readTarget(target: unknown, isNamed: boolean): string | null | undefined {
  if (target === undefined) return undefined;
  return typeof target === 'string' && (isNamed || isDid(target)) ? target : null;
}
