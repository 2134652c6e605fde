/** A strict reader of the parts of an AIP document: an unknown restriction must not be ignored. */
import { currencyDecimals } from '../base/values/currency.ts';
import { parseInstant } from '../base/values/instant.ts';
import { amountText, readAmount } from '../base/values/money.ts';
import { type FieldError, invalidRequest } from '../errors.ts';

/** An object of a document. */
export type Part = Readonly<Record<string, unknown>>;

/** The permissions of an agent in AIP. */
export interface Boundaries {
  /** The allowed actions, exact strings, each once. Empty: every action. */
  readonly allowed: readonly string[];
  /** The denied actions, exact strings, each once. */
  readonly denied: readonly string[];
  /** The limit of a transaction as canonical decimal text; `0`: no limit. */
  readonly perTransaction: string;
  /** The limit of a day as canonical decimal text; `0`: no limit. */
  readonly perDay: string;
  readonly currency: string;
  /** The decimals of the currency. */
  readonly decimals: number;
  /** The codes of countries, separated by commas; `undefined`: everywhere. */
  readonly geo: string | undefined;
  readonly window: Part | undefined;
  readonly hasDataAccess: boolean;
}

const BOUNDARIES = [
  ...['allowed_actions', 'denied_actions', 'monetary_limit', 'data_access'],
  ...['geo_restriction', 'time_window'],
];
const LIMIT = ['per_transaction', 'per_day', 'currency'];

/** Reads the boundaries with the defaults of AIP. Throws `invalid_request` for anything else. */
export function readBoundaries(value: unknown, path: string): Boundaries {
  const part = knownPart(value, path, BOUNDARIES);
  const limit = knownPart(part['monetary_limit'] ?? {}, `${path}/monetary_limit`, LIMIT);
  const currency = textOf(limit['currency'] ?? 'USD', `${path}/monetary_limit/currency`);
  const decimals = currencyDecimals(currency);
  if (decimals === undefined)
    throw refused(`${path}/monetary_limit/currency`, 'This must be an ISO 4217 code.');
  const amount = (name: string): string => amountOf(limit[name], decimals, `${path}/monetary_limit/${name}`);
  const { geo_restriction: geo, time_window: window } = part;
  const isEmpty = geo === undefined || geo === null || geo === '';
  return {
    allowed: textsOf(part['allowed_actions'], `${path}/allowed_actions`),
    denied: textsOf(part['denied_actions'], `${path}/denied_actions`),
    perTransaction: amount('per_transaction'),
    perDay: amount('per_day'),
    currency,
    decimals,
    geo: isEmpty ? undefined : textOf(geo, `${path}/geo_restriction`),
    window:
      window === undefined || window === null
        ? undefined
        : knownPart(window, `${path}/time_window`, ['start', 'end']),
    hasDataAccess: textsOf(part['data_access'], `${path}/data_access`).length > 0,
  };
}

/** Returns the milliseconds of an instant; AIP reads one without an offset as UTC. */
export function instantOf(value: unknown, path: string): number {
  const text = typeof value === 'string' ? value : '';
  const instant = parseInstant(text) ?? parseInstant(`${text}Z`);
  if (instant === undefined) throw refused(path, 'This must be an instant.');
  return instant;
}

/** Returns the earliest expiry in the delegation chain of a principal, in milliseconds. */
export function earliestExpiry(principal: unknown): number | undefined {
  if (principal === undefined || principal === null) return undefined;
  const { delegation_chain: chain = [] } = partOf(principal, '/principal');
  if (!Array.isArray(chain)) throw refused('/principal/delegation_chain', 'This must be a list.');
  const ends = chain.flatMap((link: unknown, at) => {
    const path = `/principal/delegation_chain/${at}`;
    const { expires_at } = partOf(link, path);
    return expires_at === undefined || expires_at === null
      ? []
      : [instantOf(expires_at, `${path}/expires_at`)];
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Returns the value when it is an object, else throws `invalid_request`. */
export function partOf(value: unknown, path: string): Part {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Part;
  throw refused(path, 'This must be an object.');
}

/** Returns the value when it is a text, else throws `invalid_request`. */
export function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw refused(path, 'This must be text.');
}

function textsOf(value: unknown, path: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw refused(path, 'This must be a list.');
  return [...new Set(value.map((entry, at) => textOf(entry, `${path}/${at}`)))];
}

function amountOf(value: unknown, decimals: number, path: string): string {
  const amount = readAmount(value ?? 0, decimals);
  if (amount === null)
    throw refused(path, `This must be a decimal from 0 with at most ${decimals} decimals.`);
  return amountText(amount);
}

function knownPart(value: unknown, path: string, names: readonly string[]): Part {
  const part = partOf(value, path);
  const unknown = Object.keys(part).find((name) => !names.includes(name));
  if (unknown !== undefined) throw refused(path, `A restriction that is not known: ${unknown}.`);
  return part;
}

/** Makes the error for a malformed part of a document. */
export function refused(path: string, message: string): Error {
  const error: FieldError = { path, code: 'malformed', message };
  return invalidRequest([error]);
}
