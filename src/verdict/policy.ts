import { type ActionSet, actionSet, isActionEntry } from '../base/action.ts';
import { currencyCode, currencyDecimals } from '../base/currency.ts';
import { parseInstant } from '../base/instant.ts';
import { amountText, MAX_DECIMALS, readAmount } from '../base/money.ts';
import { PASSPORT_STATUSES } from '../base/passport-status.ts';
import { isDid, isTargetEntry, matchesTarget, type TargetSet, targetSet } from '../base/target.ts';
import type { Amount, Instant, Passport, ProofRequirement, Verdict } from '../records.ts';
import { approvalOf, type PolicyApproval } from './approval.ts';
import { budgetsOf, type PolicyBudget } from './budgets.ts';
import { REQUIREMENTS } from './proof.ts';
import { demand, type Elements, entries } from './read.ts';

/** What our own rules read of a passport: every field checked, every list ready, every instant a number. */
export interface Policy {
  readonly times: Times;
  readonly allowed: ActionSet | undefined;
  readonly denied: ActionSet | undefined;
  /** The actions that must carry an amount. */
  readonly monetary: ActionSet | undefined;
  /** `undefined` when every target is allowed. */
  readonly targets: TargetSet | undefined;
  readonly limit: Amount;
  /** As reasons show it. Formatted once, because that takes as long as a verdict. */
  readonly limitText: string;
  readonly currency: string | null;
  /** How many decimals an amount may have; `undefined` when the currency of the intent decides. */
  readonly decimals: number | undefined;
  /** What the agent has to prove: 0 for nothing, else one of `REQUIREMENTS`. */
  readonly proof: number;
  /** `undefined` without any. */
  readonly budgets: readonly PolicyBudget[] | undefined;
  /** Which intents need a person; `undefined`: none. */
  readonly approval: PolicyApproval | undefined;
  /** The `agent_id` of the parent; `undefined` without one. */
  readonly parent: string | undefined;
  /** What else decides besides our own rules, as bits of `ASKS`; 0: nothing. */
  readonly asks: number;
}

/** @internal What else decides besides our own rules: the passports above this one, or a proof, budgets or approvals. */
export const ASKS = { ancestors: 1, more: 2 } as const;

/** When the agent may do nothing. */
export interface Times {
  readonly revoked: boolean;
  /** A suspension ends here: `-Infinity` without a suspension, `Infinity` for one without end. */
  readonly suspended_until: number;
  readonly expires_at: number;
  readonly not_before: number;
  /** The instants as the passport spells them: facts of reasons. */
  readonly spelled: Spelled;
  /** The verdicts that the times alone decide, by their denials; filled by the first of each. */
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

/** Shared by all passports that are valid at any time, which most are. */
const ANY_TIME: Times = {
  revoked: false,
  suspended_until: ALWAYS,
  expires_at: NEVER,
  not_before: ALWAYS,
  spelled: { revoked_at: null, suspended_until: null, expires_at: null, not_before: null },
  verdicts: [],
};

/**
 * The policy of a passport. Throws when a field is missing or breaks its rule, as those of `PassportInput` state it.
 * `elements` gives the elements of a list in an array that never changes.
 */
export function policyOf(passport: Passport, elements: Elements): Policy {
  // Inherited members are not data, and hidden ones would be missing from the copy.
  demand(Object.getOwnPropertyNames(passport).length === Object.keys(passport).length);
  const own: { readonly [Field in keyof Passport]?: unknown } = Object.setPrototypeOf({ ...passport }, null);
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
    revoked_at,
    suspended_until: suspensionEnds,
    expires_at: ends,
    not_before: starts,
    parent_agent_id,
    proof = 'optional',
    ...unjudged
  } = own;
  assertUnjudged(unjudged);
  const parent = text(parent_agent_id) ?? undefined;
  const currency = text(code);
  const decimals = currency === null ? MAX_DECIMALS : currencyDecimals(currency);
  const limit = readAmount(monetary_limit_per_txn, decimals);
  const revocation = text(revoked_at ?? undefined);
  const suspensionEnd = text(suspensionEnds ?? undefined);
  const end = text(ends);
  const start = text(starts);
  const suspended_until = instant(suspensionEnd, NEVER);
  const expires_at = instant(end, NEVER);
  const not_before = instant(start, ALWAYS);
  demand(decimals !== undefined && limit !== null && not_before < expires_at);
  demand(typeof proof === 'string' && Object.hasOwn(REQUIREMENTS, proof));
  const monetary = entries(elements(monetary_actions), isActionEntry);
  const readWith = { currency, decimals, elements, hasMonetary: monetary.length > 0 };
  const budgets = budgetsOf(givenBudgets, readWith);
  const approval = approvalOf(givenApproval, readWith);
  const isPlain =
    budgets === undefined && approval === undefined && REQUIREMENTS[proof as ProofRequirement] === 0;
  // `expired` is shown, never stored: what it stands for is judged by `expires_at`.
  demand(PASSPORT_STATUSES.some((known) => known === status) && (status !== 'expired' || end !== null));
  return {
    times:
      status === 'active' && end === null && start === null
        ? ANY_TIME
        : {
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
          },
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
    parent,
    asks: (parent === undefined ? 0 : ASKS.ancestors) | (isPlain ? 0 : ASKS.more),
  };
}

/** The fields of a passport that no rule reads. */
type Unjudged =
  | 'agent_id'
  | 'domain'
  | 'agent_name'
  | 'public_keys'
  | 'description'
  | 'metadata'
  | 'version'
  | 'created_at'
  | 'updated_at'
  | 'suspended_by'
  | 'suspension_reason'
  | 'revoked_by'
  | 'revocation_reason';

/** Compiles only for what is left of a passport when every field is taken that a rule reads: a new one is judged, or named above. */
function assertUnjudged<Rest>(_: Rest & { readonly [Field in Exclude<keyof Rest, Unjudged>]: never }): void {}

/** The actions that must carry an amount, with those that budgets require one of. */
function withRequired(monetary: readonly string[], budgets: readonly PolicyBudget[] = []): readonly string[] {
  const required = budgets.flatMap(({ requires }) => requires);
  return required.length === 0 ? monetary : [...new Set([...monetary, ...required])];
}

function actions(elements: Elements, list: unknown = []): ActionSet | undefined {
  return actionSet(entries(elements(list), isActionEntry));
}

function instant(spelled: string | null, otherwise: number): number {
  const at = spelled === null ? otherwise : parseInstant(spelled);
  demand(at !== undefined);
  return at;
}

function text(value: unknown): string | null {
  demand(value === undefined || typeof value === 'string');
  return value ?? null;
}

/** @internal The currency that the intent names; `null` for anything but an ISO 4217 code. */
export function readCurrency(currency: unknown, policy: Policy): string | null | undefined {
  if (currency === undefined) return undefined;
  return currency === policy.currency ? policy.currency : currencyCode(currency);
}

/**
 * @internal The amount of the intent; `null` unless it is an exact decimal in range with no more decimals than the
 * currency that counts.
 */
export function readAmountIn(
  amount: unknown,
  policy: Policy,
  currency: string | null | undefined,
): Amount | null | undefined {
  if (amount === undefined) return undefined;
  return readAmount(amount, policy.decimals ?? (currency ? currencyDecimals(currency) : undefined));
}

/** @internal Whether the passport names targets, and this among them. */
export function isNamedTarget(target: unknown, { targets }: Policy): boolean {
  return targets !== undefined && typeof target === 'string' && matchesTarget(targets, target);
}

/** @internal The target of the intent; `null` for anything but a DID. Targets that a passport names are DIDs. */
export function readTarget(target: unknown, isNamed: boolean): string | null | undefined {
  if (target === undefined) return undefined;
  return typeof target === 'string' && (isNamed || isDid(target)) ? target : null;
}
