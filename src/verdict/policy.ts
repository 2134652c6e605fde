import { type ActionSet, actionSet, isActionEntry } from '../action.ts';
import { currencyDecimals } from '../currency.ts';
import { parseInstant } from '../instant.ts';
import { readAmount } from '../money.ts';
import type { Amount, Instant, Passport } from '../records.ts';
import { isTargetEntry, type TargetSet, targetSet } from '../target.ts';
import { demand } from './read.ts';

/** What our own rules read of a passport: every field checked, every list ready, every instant a number. */
export interface Policy {
  /** `undefined` when it may act at any time, as most may. */
  readonly times: Times | undefined;
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
  /** A suspension ends here: `-Infinity` when there is none, `Infinity` when it has no end. */
  readonly suspended_until: number;
  readonly expires_at: number;
  readonly not_before: number;
  /** What reasons tell of it, by code: the instants as the passport spells them. */
  readonly told: Readonly<Record<string, Readonly<Record<string, Instant | null>>>>;
}

const STATUSES: readonly unknown[] = ['active', 'suspended', 'revoked'];
const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = Number.NEGATIVE_INFINITY;

/** The policy of a passport. Throws when a field is missing or breaks its rule (CONTRACT section 2). */
export function policyOf(passport: Passport): Policy {
  const read = (field: keyof Passport): unknown =>
    Object.hasOwn(passport, field) ? passport[field] : undefined;
  const status = read('status');
  const currency = text(read('currency'));
  const decimals = currency === null ? 6 : currencyDecimals(currency);
  const limit = readAmount(read('monetary_limit_per_txn'), decimals);
  const targets = read('allowed_targets');
  const revocation = text(read('revoked_at') ?? undefined);
  const suspensionEnd = text(read('suspended_until') ?? undefined);
  const end = text(read('expires_at'));
  const start = text(read('not_before'));
  const suspended_until = instant(suspensionEnd, NEVER);
  const expires_at = instant(end, NEVER);
  const not_before = instant(start, ALWAYS);
  demand(decimals !== undefined && limit !== null && not_before < expires_at);
  // `expired` is shown, never stored: what it stands for is judged by `expires_at`.
  demand(STATUSES.includes(status) || (status === 'expired' && end !== null));
  return {
    times:
      status === 'active' && end === null && start === null
        ? undefined
        : {
            revoked: status === 'revoked',
            suspended_until: status === 'suspended' ? suspended_until : ALWAYS,
            expires_at,
            not_before,
            told: {
              agent_revoked: { since: revocation },
              agent_suspended: { until: suspensionEnd },
              agent_expired: { since: end },
              agent_not_yet_valid: { until: start },
            },
          },
    allowed: actions(read('allowed_actions') ?? null),
    denied: actions(read('denied_actions')),
    monetary: actions(read('monetary_actions')),
    targets: targets === undefined ? undefined : targetSet(entries(targets, isTargetEntry)),
    limit,
    limitText: String(limit),
    currency,
    decimals: currency === null ? undefined : decimals,
  };
}

function actions(value: unknown = []): ActionSet | undefined {
  return actionSet(entries(value, isActionEntry));
}

function entries(value: unknown, isEntry: (text: string) => boolean): readonly string[] {
  demand(Array.isArray(value));
  // A list that cannot change is not copied: the cache of the service holds each once.
  const found: readonly unknown[] = Object.isFrozen(value) ? value : [...value];
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
