/** The intent of an envelope, and the objections of the envelope's own boundaries to it. */
import { isAction } from '../base/values/action.ts';
import { formatInstant } from '../base/values/instant.ts';
import { compareAmounts, readAmount, toAmount } from '../base/values/money.ts';
import type { Intent, Passport } from '../records.ts';
import { decide } from '../verdict/index.ts';
import { NO_LIMIT } from './boundaries.ts';
import { type AipErrorCode, errorCodesOf } from './error-codes.ts';
import { majorUnits } from './minor-units.ts';
import type { Envelope } from './read-envelope.ts';
import type { Part } from './read-parts.ts';

/** The instant and the country of a request. */
export interface Circumstances {
  /** The instant, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The code of the country; `undefined` when it is not known. */
  readonly geo: string | undefined;
}

/** Returns the intent of an envelope; `undefined` when its amount is ambiguous. */
export function intentOf({ agentId, action, target, parameters, boundaries }: Envelope): Intent | undefined {
  const judged = judgedParameters(parameters, boundaries);
  if (judged === undefined) return undefined;
  // In AIP a target may be any text; a passport names only DIDs.
  const isDid = target.startsWith('did:');
  return { agent_id: agentId, action, ...(isDid && { target }), parameters: judged };
}

/** Returns the errors for the boundaries of the envelope that the intent breaks. */
export function boundaryErrors(
  envelope: Envelope,
  intent: Intent,
  { at, geo }: Circumstances,
): readonly AipErrorCode[] {
  const { boundaries, window } = envelope;
  const { target: _, ...asked } = intent;
  const { reasons } = decide({ passport: passportOf(envelope), intent: asked, at });
  const isOut = window !== undefined && (at < window[0] || at > window[1]);
  const places = boundaries.geo?.split(',').map((place) => place.trim().toUpperCase());
  const isElsewhere = places !== undefined && (geo === undefined || !places.includes(geo.toUpperCase()));
  return [
    ...new Set<AipErrorCode>([
      ...errorCodesOf(reasons),
      ...(isOverDay(envelope, intent) ? ['AIP-E202' as const] : []),
      ...(isOut ? ['AIP-E203' as const] : []),
      ...(isElsewhere ? ['AIP-E204' as const] : []),
    ]),
  ];
}

/**
 * Makes a passport of the boundaries. An action outside the grammar of passports is left out: no valid intent can have
 * it.
 */
function passportOf({ agentId, boundaries, delegatedUntil }: Envelope): Passport {
  const { allowed, denied, perTransaction, currency } = boundaries;
  return {
    agent_id: agentId,
    status: 'active',
    allowed_actions: allowed.length === 0 ? ['*'] : allowed.filter(isAction),
    denied_actions: denied.filter(isAction),
    monetary_limit_per_txn: toAmount(perTransaction === '0' ? NO_LIMIT : perTransaction),
    currency,
    ...(delegatedUntil !== undefined && { expires_at: formatInstant(delegatedUntil) }),
  } as unknown as Passport;
}

/**
 * Says whether the amount alone is over the limit of a day. Earlier amounts are not known here: use a budget of the
 * passport.
 */
function isOverDay({ boundaries: { perDay, decimals } }: Envelope, { parameters = {} }: Intent): boolean {
  const amount = readAmount(parameters['amount'], decimals);
  return perDay !== '0' && amount !== null && compareAmounts(amount, toAmount(perDay)) > 0;
}

/**
 * Returns the parameters to judge. In AIP an amount without a currency is in that of the limit, and an amount of 0 or
 * less is not a payment.
 */
function judgedParameters(
  parameters: Part,
  { currency }: Envelope['boundaries'],
): Readonly<Record<string, unknown>> | undefined {
  const { amount: given, ...rest } = parameters;
  const { amount_minor: minor } = parameters;
  if (minor !== undefined && !Number.isSafeInteger(minor)) return undefined;
  const exact = minor === undefined ? given : majorUnits(minor as number, currency);
  // Two amounts that differ: it is not known which of them is to be paid.
  if (minor !== undefined && given !== undefined && Number(given) !== Number(exact)) return undefined;
  if (exact === undefined || isNoPayment(exact)) return rest;
  return { currency, ...rest, amount: exact };
}

function isNoPayment(amount: unknown): boolean {
  const isNumber =
    typeof amount === 'number' || (typeof amount === 'string' && /^-?\d+(\.\d+)?$/.test(amount));
  return isNumber && Number(amount) <= 0;
}
