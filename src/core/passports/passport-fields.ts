/**
 * Checks the rules of a passport's fields that a JSON Schema cannot express, and creates the canonical form of each
 * field.
 */

import { isActionEntry } from '../../base/values/action.ts';
import { isAgentName, isDomain, isSetName } from '../../base/values/agent-id.ts';
import { isBudgetName } from '../../base/values/budget.ts';
import {
  canonicalConditions,
  conditionFaults,
  type RuleFault,
} from '../../base/values/conditions/condition.ts';
import { MAX_PUBLIC_KEYS } from '../../base/values/field-limits.ts';
import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import { amountText, currencyDecimals, MAX_DECIMALS, readAmount } from '../../base/values/money.ts';
import { orderFaults } from '../../base/values/order.ts';
import { PACE_NAME } from '../../base/values/pace.ts';
import { type FieldError, pointer } from '../../errors.ts';
import type { PublicKeyInput } from '../../records/key.ts';
import type { Instant, Pace, PassportInput, PassportListField } from '../../records.ts';
import { expectedAt, mustBe } from '../../schema/expected.ts';
import { ENTRY_CHECKS } from '../../schema/passport-fields.ts';
import { type PublicKeyOptions, publicKeyErrors, toAgentKey } from '../../tokens/signing/public-key.ts';
import type { ProofTerms } from '../shared/context.ts';
import { approvalCrossErrors, approvalErrors, canonicalApproval } from './approval-fields.ts';
import { budgetCrossErrors, budgetErrors, canonicalBudgets, malformedEntries } from './budget-fields.ts';
import type { PassportFields, StoredPace } from './collections.ts';
import { canonicalTrust, trustErrors } from './trusted-issuer-fields.ts';

const LIST_FIELDS = Object.keys(ENTRY_CHECKS) as PassportListField[];

/** The settings that the rules depend on. */
export interface FieldOptions extends PublicKeyOptions {
  readonly proofTerms: ProofTerms;
}

/** The canonical form of each field whose stored value may differ from the input. */
const CANONICAL: {
  readonly [Field in keyof PassportInput]?: (value: Required<PassportInput>[Field]) => PassportFields[Field];
} = {
  monetary_limit_per_txn: (limit) => amountText(readAmount(limit) ?? ''),
  public_keys: (keys) => keys.map(toAgentKey),
  budgets: canonicalBudgets,
  approval: canonicalApproval,
  conditions: canonicalConditions,
  pace: canonicalPaces,
  trusted_issuers: canonicalTrust,
  not_before: canonicalInstant,
  expires_at: canonicalInstant,
};

/**
 * Returns the fields as they are stored: the limit as canonical decimal text, instants in UTC, keys with their
 * thumbprints. `input` must be valid.
 */
export function canonicalFields(input: PassportInput): PassportFields {
  const canonical: Readonly<Record<string, ((value: never) => unknown) | undefined>> = CANONICAL;
  const present = Object.entries(input).filter(([, value]) => value !== undefined);
  const stored = present.map(([name, value]) => [name, canonical[name]?.(value as never) ?? value]);
  return Object.fromEntries(stored) as unknown as PassportFields;
}

/** Returns the errors of single fields. The schema finds missing fields and wrong types. */
export function fieldErrors(
  input: { readonly [Field in keyof PassportInput]?: unknown },
  options: FieldOptions,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, message = mustBe(path)) => errors.push({ path, code: 'malformed', message });
  const { domain, agent_name, currency, managed_by, monetary_limit_per_txn: limit } = input;

  if (isText(domain) && !isDomain(domain, options)) refuse('/domain');
  if (isText(agent_name) && !isAgentName(agent_name)) refuse('/agent_name');
  if (isText(managed_by) && !isSetName(managed_by)) refuse('/managed_by');
  for (const field of LIST_FIELDS) {
    for (const at of malformedEntries(input[field], ENTRY_CHECKS[field])) refuse(pointer(field, at));
  }

  const knownDecimals = isText(currency) ? currencyDecimals(currency) : MAX_DECIMALS;
  if (knownDecimals === undefined) refuse('/currency');
  const decimals = knownDecimals ?? MAX_DECIMALS;
  if (limit !== undefined && limit !== null && readAmount(limit, knownDecimals) === null) {
    const range = `from 0 to 10^15 with at most ${decimals} decimals`;
    refuse('/monetary_limit_per_txn', `This must be ${expectedAt('/monetary_limit_per_txn')}, ${range}.`);
  }

  errors.push(
    ...budgetErrors(input, decimals),
    ...approvalErrors(input, decimals),
    ...conditionErrors(input),
    ...paceErrors(input),
    ...orderFieldErrors(input),
    ...trustErrors(input, options),
  );

  const [from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY] = (
    ['not_before', 'expires_at'] as const
  ).map((field) => {
    const text = input[field];
    const instant = isText(text) ? parseInstant(text) : undefined;
    if (isText(text) && instant === undefined) refuse(pointer(field));
    return instant;
  });
  if (from >= until) refuse('/expires_at', 'This must be later than not_before.');
  return [...errors, ...keyErrors(input.public_keys, options)];
}

export function crossErrors(
  input: { readonly [Field in keyof PassportInput]?: unknown },
): readonly FieldError[] {
  const required = [...budgetCrossErrors(input), ...approvalCrossErrors(input), ...orderCrossErrors(input)];
  // Both rules may require the same field: one error suffices.
  return required.filter(({ path }, at) => required.findIndex((error) => error.path === path) === at);
}

function keyErrors(list: unknown, options: FieldOptions): readonly FieldError[] {
  if (!Array.isArray(list)) return [];
  const known = new Map<string, number>();
  return list.slice(0, MAX_PUBLIC_KEYS).flatMap((key: unknown, at): readonly FieldError[] => {
    if (typeof key !== 'object' || key === null || Array.isArray(key)) return [];
    const path = pointer('public_keys', at);
    const errors = publicKeyErrors(key, options);
    if (errors.length > 0) return errors.map((error) => ({ ...error, path: `${path}${error.path}` }));
    const { kid } = toAgentKey(key as PublicKeyInput);
    const first = known.get(kid);
    if (first !== undefined)
      return [
        { path, code: 'duplicate', message: `Entries ${first} and ${at} are the same key. Remove one.` },
      ];
    known.set(kid, at);
    return [];
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function canonicalInstant(text: string): Instant {
  return formatInstant(parseInstant(text) ?? Number.NaN);
}

function conditionErrors({
  conditions,
}: {
  readonly [Field in keyof PassportInput]?: unknown;
}): readonly FieldError[] {
  if (!Array.isArray(conditions)) return [];
  return conditionFaults(conditions).map(({ path, code }) => {
    const place = `/conditions${path}`;
    return { path: place, code, message: messageOf(place, code) };
  });
}

function messageOf(path: string, code: string): string {
  if (code === 'unknown_field') return 'There is no such field.';
  if (code === 'duplicate') return `Two entries are the same. ${mustBe(path)}`;
  return mustBe(path);
}

function canonicalPaces(paces: readonly Pace[]): readonly StoredPace[] {
  return paces.map(({ name = PACE_NAME, actions, max, seconds }) => ({
    name,
    ...(actions !== undefined && { actions }),
    max,
    seconds,
  }));
}

function paceErrors({
  pace: paces,
}: {
  readonly [Field in keyof PassportInput]?: unknown;
}): readonly FieldError[] {
  if (!Array.isArray(paces)) return [];
  const names = new Map<unknown, number>();
  return paces.flatMap((entry: unknown, index): readonly FieldError[] => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const errors: FieldError[] = [];
    const at = (field: string) => `${pointer('pace', index)}${pointer(field)}`;
    const refuse = (path: string, message = mustBe(path)) =>
      errors.push({ path, code: 'malformed', message });
    const { name = PACE_NAME, actions }: { readonly [Field in keyof Pace]?: unknown } = entry;
    if (typeof name === 'string' && !isBudgetName(name)) refuse(at('name'));
    const same = names.get(name);
    if (same === undefined) names.set(name, index);
    else refuse(at('name'), `Pace ${same} has this name. Choose another.`);
    for (const place of malformedEntries(actions, isActionEntry)) refuse(`${at('actions')}/${place}`);
    return errors;
  });
}

// Checks the rules of order of a passport input.

type Given = { readonly [Field in keyof PassportInput]?: unknown };

function orderFieldErrors({ order }: Given): readonly FieldError[] {
  return Array.isArray(order) ? orderFaults(order).map(errorOf) : [];
}

/** Returns an error for each rule of order that has the same name as a pace of the passport. */
function orderCrossErrors({ order, pace }: Given): readonly FieldError[] {
  if (!Array.isArray(order) || !Array.isArray(pace)) return [];
  const alone = new Set(orderFaults(order).map(({ path }) => path));
  return orderFaults(order, pace)
    .filter(({ path, code }) => code === 'duplicate' && !alone.has(path))
    .map(errorOf);
}

function errorOf({ path, code }: RuleFault): FieldError {
  const place = `/order${path}`;
  return { path: place, code, message: orderMessage(place, code) };
}

function orderMessage(path: string, code: RuleFault['code']): string {
  if (code === 'unknown_field') return 'There is no such field.';
  if (code === 'duplicate' && path.endsWith('/name')) return 'Another rule of order or pace has this name.';
  if (code === 'duplicate') return `Two entries are the same. ${mustBe(path)}`;
  return mustBe(path);
}
