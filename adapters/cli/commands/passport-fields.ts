import { Option } from 'commander';
import type { PassportInput, PassportPatch } from '../../../src/index.ts';
import { PASSPORT_FLAGS } from '../../../src/schema/passport-words.ts';
import type { OptionalPassportField } from '../../../src/types.ts';
import {
  readApproval,
  readBudget,
  readCondition,
  readOrder,
  readPace,
  readTrustedIssuer,
} from '../input/named-values.ts';
import type { FieldOptions } from './command.ts';

/** Parses the value of a flag. `before` is the value of an earlier occurrence of the flag. */
type Reader = (text: string, before: unknown) => unknown;

/** The readers of flags whose value is not a text or a list of texts. */
const READERS: { readonly [Field in keyof PassportInput]?: Reader } = {
  budgets: listOf(readBudget),
  approval: readApproval,
  conditions: listOf(readCondition),
  pace: listOf(readPace),
  order: listOf(readOrder),
  trusted_issuers: listOf(readTrustedIssuer),
};

const FIXED: readonly Exclude<keyof PassportInput, keyof PassportPatch>[] = [
  'domain',
  'agent_name',
  'parent_agent_id',
];

const REQUIRED: readonly Exclude<keyof PassportInput, OptionalPassportField>[] = [
  'domain',
  'agent_name',
  'allowed_actions',
  'monetary_limit_per_txn',
];

/** The fields that an account sets, in the order in which `passport export` writes them. */
export const PASSPORT_FIELDS = Object.keys(PASSPORT_FLAGS) as readonly (keyof PassportInput)[];

const CHANGING = without(PASSPORT_FIELDS, FIXED);

export const OPTIONAL_FIELDS: readonly string[] = without(CHANGING, REQUIRED).map(flagName);

/** The options for the changeable fields. Amounts stay texts, because texts are exact. */
export const CHANGEABLE: FieldOptions<PassportPatch> = optionsOf(CHANGING);

export const FIELDS: FieldOptions<PassportInput> = optionsOf(PASSPORT_FIELDS);

export const AGENT_ID: { readonly agent_id: string } = {
  agent_id: 'id of the agent, in the form did:web:<domain>:agents:<agent_name>',
};

function without<Name extends string>(names: readonly Name[], others: readonly string[]): readonly Name[] {
  return names.filter((name) => !others.includes(name));
}

function optionsOf(fields: readonly (keyof PassportInput)[]): Readonly<Record<string, Option>> {
  const options: Record<string, Option> = {};
  for (const field of fields) {
    const flag = PASSPORT_FLAGS[field];
    if (flag === undefined) continue;
    const option = new Option(`--${flag.name ?? flagName(field)} ${flag.value}`, flag.help);
    const reader = READERS[field];
    options[field] = reader === undefined ? option : option.argParser(reader);
  }
  return options;
}

export function fieldName(flag: string): string {
  return flag.replaceAll('-', '_');
}

function listOf(read: (text: string) => unknown): Reader {
  return (text, before) => [...(Array.isArray(before) ? before : []), read(text)];
}

function flagName(field: string): string {
  return field.replaceAll('_', '-');
}
