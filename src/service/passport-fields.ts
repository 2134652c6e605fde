/** The rules of CONTRACT section 2 that a JSON Schema cannot say, and the canonical form of each field. */
import { isActionEntry } from '../action.ts';
import { isAgentName, isDomain } from '../agent-id.ts';
import { currencyDecimals } from '../currency.ts';
import { type FieldError, invalidRequest, pointer } from '../errors.ts';
import { formatInstant, parseInstant } from '../instant.ts';
import { amountText, readAmount } from '../money.ts';
import type { Instant, PassportInput, PassportPatch } from '../records.ts';
import { isTargetEntry } from '../target.ts';
import type { PassportFields } from './stored.ts';

const MOST_DECIMALS = 6;

/** What the rules are judged by beyond the fields themselves. */
export interface FieldOptions {
  readonly allowLocalhost: boolean;
}

/**
 * The fields as they are stored: the limit as canonical decimal text, instants in UTC. Throws
 * `invalid_request` with the fields that break a rule. `input` already fits the schema.
 */
export function canonicalFields(input: PassportInput, options: FieldOptions): PassportFields {
  checkFields(input, options);
  const { not_before, expires_at } = input;
  const present = Object.entries(input).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(present) as unknown as PassportInput),
    monetary_limit_per_txn: amountText(readAmount(input.monetary_limit_per_txn) ?? ''),
    ...(not_before !== undefined && { not_before: canonicalInstant(not_before) }),
    ...(expires_at !== undefined && { expires_at: canonicalInstant(expires_at) }),
  };
}

/** Throws `invalid_request` with the fields that break a rule, of those that are there and not `null`. */
export function checkFields(
  input: PassportPatch & { readonly domain?: string; readonly agent_name?: string },
  options: FieldOptions,
): void {
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string) => errors.push({ path, code: 'malformed', message });
  const { domain, agent_name, currency, monetary_limit_per_txn: limit, not_before, expires_at } = input;

  if (domain !== undefined && !isDomain(domain, options))
    refuse('/domain', 'This is not a canonical domain.');
  if (agent_name !== undefined && !isAgentName(agent_name)) {
    refuse('/agent_name', 'This is not an agent name.');
  }
  for (const field of ['allowed_actions', 'denied_actions', 'monetary_actions'] as const) {
    input[field]?.forEach((entry, index) => {
      if (!isActionEntry(entry)) refuse(pointer(field, index), 'This is neither an action nor a pattern.');
    });
  }
  input.allowed_targets?.forEach((entry, index) => {
    if (!isTargetEntry(entry)) {
      refuse(pointer('allowed_targets', index), 'This is no DID and no pattern of one.');
    }
  });

  const decimals = typeof currency === 'string' ? currencyDecimals(currency) : MOST_DECIMALS;
  if (decimals === undefined) refuse('/currency', 'This is no ISO 4217 code.');
  if (limit !== undefined && readAmount(limit, decimals) === null) {
    const most = `with at most ${decimals ?? MOST_DECIMALS} decimals`;
    refuse('/monetary_limit_per_txn', `This must be an exact decimal from 0 to 10^15 ${most}.`);
  }

  const [from, until] = [not_before, expires_at].map((text) => parseInstant(text ?? ''));
  if (isText(not_before) && from === undefined) refuse('/not_before', 'This must be an RFC 3339 instant.');
  if (isText(expires_at) && until === undefined) refuse('/expires_at', 'This must be an RFC 3339 instant.');
  if (from !== undefined && until !== undefined && from >= until) {
    refuse('/expires_at', 'This must be later than not_before.');
  }
  if (errors.length > 0) throw invalidRequest(errors);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function canonicalInstant(text: string): Instant {
  return formatInstant(parseInstant(text) ?? Number.NaN);
}
