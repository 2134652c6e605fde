import { type ActionSet, actionSet, isActionEntry } from '../base/action.ts';
import { currencyDecimals } from '../base/currency.ts';
import { parseInstant } from '../base/instant.ts';
import { amountText, MAX_DECIMALS, readAmount } from '../base/money.ts';
import { PASSPORT_STATUSES } from '../base/passport-status.ts';
import { isTargetEntry, type TargetSet, targetSet } from '../base/target.ts';
import type { Amount, Instant, Passport, Verdict } from '../records.ts';
import { demand } from './read.ts';

/** What our own rules read of a passport: every field checked, every list ready, every instant a number. */
export interface Policy {
  readonly times: Times;
  readonly allowed: ActionSet | undefined;
  readonly denied: ActionSet | undefined;
  /** The actions that must carry an amount. */
  readonly monetary: ActionSet | undefined;
  /** `undefined` when any target will do. */
  readonly targets: TargetSet | undefined;
  readonly limit: Amount;
  /** As reasons tell it: spelled once, as that takes as long as a verdict. */
  readonly limitText: string;
  readonly currency: string | null;
  /** How many an amount may have; `undefined` when that is the intent's to say. */
  readonly decimals: number | undefined;
}

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

type Elements = (list: unknown) => readonly unknown[];

const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = Number.NEGATIVE_INFINITY;

/** Of an agent that may act at any time, as most may: one for all of them. */
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
  // What the passport does not hold itself is no data, and what it hides would be missing from the copy.
  demand(Object.getOwnPropertyNames(passport).length === Object.keys(passport).length);
  const own: { readonly [Field in keyof Passport]?: unknown } = Object.setPrototypeOf({ ...passport }, null);
  const { status } = own;
  const currency = text(own.currency);
  const decimals = currency === null ? MAX_DECIMALS : currencyDecimals(currency);
  const limit = readAmount(own.monetary_limit_per_txn, decimals);
  const revocation = text(own.revoked_at ?? undefined);
  const suspensionEnd = text(own.suspended_until ?? undefined);
  const end = text(own.expires_at);
  const start = text(own.not_before);
  const suspended_until = instant(suspensionEnd, NEVER);
  const expires_at = instant(end, NEVER);
  const not_before = instant(start, ALWAYS);
  demand(decimals !== undefined && limit !== null && not_before < expires_at);
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
    allowed: actions(elements, own.allowed_actions ?? null),
    denied: actions(elements, own.denied_actions),
    monetary: actions(elements, own.monetary_actions),
    targets:
      own.allowed_targets === undefined
        ? undefined
        : targetSet(entries(elements(own.allowed_targets), isTargetEntry)),
    limit,
    limitText: amountText(limit),
    currency,
    decimals: currency === null ? undefined : decimals,
  };
}

function actions(elements: Elements, list: unknown = []): ActionSet | undefined {
  return actionSet(entries(elements(list), isActionEntry));
}

function entries(found: readonly unknown[], isEntry: (text: string) => boolean): readonly string[] {
  demand(found.every((entry) => typeof entry === 'string' && isEntry(entry)));
  return found as readonly string[];
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
