import { type ActionSet, actionSet, isActionEntry } from '../action.ts';
import { currencyDecimals } from '../currency.ts';
import { parseInstant } from '../instant.ts';
import { amountText, readAmount } from '../money.ts';
import type { Amount, Instant, Passport, Reason, Verdict } from '../records.ts';
import { isTargetEntry, type TargetSet, targetSet } from '../target.ts';
import { AGENT_EXPIRED, AGENT_NOT_YET_VALID, AGENT_REVOKED, AGENT_SUSPENDED, headsOf } from './codes.ts';
import { demand } from './read.ts';
import { sharedVerdict } from './reasons.ts';

/** What our own rules read of a passport: every field checked, every list ready, every instant a number. */
export interface Policy {
  /** The times in which the agent may do nothing, if there are any. */
  readonly pauses: readonly Pause[] | undefined;
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

/** A time in which the agent may do nothing. */
export interface Pause {
  readonly from: number;
  /** The first instant behind it. */
  readonly until: number;
  /** The bit of its rule. */
  readonly denial: number;
  /** The verdict when nothing else denies: with the instant as the passport spells it. */
  readonly verdict: Verdict;
}

const STATUSES: readonly unknown[] = ['active', 'suspended', 'revoked', 'expired'];
const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = Number.NEGATIVE_INFINITY;

/** The policy of a passport. Throws when a field is missing or breaks its rule (CONTRACT section 2). */
export function policyOf(passport: Passport): Policy {
  const read = (field: keyof Passport): unknown =>
    Object.hasOwn(passport, field) ? passport[field] : undefined;
  const status = read('status');
  const currency = text(read('currency'));
  const decimals = currency === null ? 6 : currencyDecimals(currency);
  const given = read('monetary_limit_per_txn');
  const limit = readAmount(given, decimals);
  const targets = read('allowed_targets');
  const revocation = text(read('revoked_at') ?? undefined);
  const suspensionEnd = text(read('suspended_until') ?? undefined);
  const end = text(read('expires_at'));
  const start = text(read('not_before'));
  const suspended_until = instant(suspensionEnd, NEVER);
  const expires_at = instant(end, NEVER);
  const not_before = instant(start, ALWAYS);
  demand(STATUSES.includes(status) && decimals !== undefined && limit !== null && not_before < expires_at);
  // `expired` is shown, never stored: what it stands for is judged by `expires_at`.
  demand(status !== 'expired' || end !== null);
  const pauses = [
    pause(AGENT_REVOKED, { since: revocation }, { from: status === 'revoked' ? ALWAYS : NEVER }),
    pause(
      AGENT_SUSPENDED,
      { until: suspensionEnd },
      { until: status === 'suspended' ? suspended_until : ALWAYS },
    ),
    pause(AGENT_EXPIRED, { since: end }, { from: expires_at }),
    pause(AGENT_NOT_YET_VALID, { until: start }, { until: not_before }),
  ].flat();
  const limitText = amountText(limit);
  return {
    pauses: pauses.length > 0 ? pauses : undefined,
    allowed: actions(read('allowed_actions') ?? null),
    denied: actions(read('denied_actions')),
    monetary: actions(read('monetary_actions')),
    targets: targets === undefined ? undefined : targetSet(entries(targets, isTargetEntry)),
    limit,
    // Of two equal texts the one that the passport holds anyway.
    limitText: given === limitText ? given : limitText,
    currency,
    decimals: currency === null ? undefined : decimals,
  };
}

/** None when there is no instant in it. */
function pause(
  denial: number,
  fact: Readonly<Record<string, Instant | null>>,
  { from = ALWAYS, until = NEVER },
): readonly Pause[] {
  if (from >= until) return [];
  const [head] = headsOf(denial);
  return [{ denial, from, until, verdict: sharedVerdict([Object.freeze({ ...(head as Reason), ...fact })]) }];
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
