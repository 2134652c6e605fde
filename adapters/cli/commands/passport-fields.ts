import type { Command } from 'commander';
import type { PassportInput, PassportPatch } from '../../../src/index.ts';
import type { OptionalPassportField } from '../../../src/types.ts';

/** How a field is given as a flag. */
interface Flag {
  readonly value: `<${string}>`;
  readonly help: string;
}

/** What is decided once. */
const FIXED: Readonly<Record<Exclude<keyof PassportInput, keyof PassportPatch>, Flag>> = {
  domain: { value: '<domain>', help: 'the domain that answers for the agent' },
  agent_name: { value: '<name>', help: 'its name there' },
};

/** What every passport has. */
const REQUIRED: Readonly<Record<Exclude<keyof PassportPatch, OptionalPassportField>, Flag>> = {
  allowed_actions: { value: '<action...>', help: 'actions, or patterns such as orders.*' },
  monetary_limit_per_txn: { value: '<amount>', help: 'exact decimal, such as 99.50' },
};

/** What a passport may lack; `undefined` for what is given in a file only. */
const OPTIONAL: Readonly<Record<OptionalPassportField, Flag | undefined>> = {
  denied_actions: { value: '<action...>', help: 'actions that are denied even if they are allowed' },
  currency: { value: '<code>', help: 'ISO 4217, such as EUR' },
  allowed_targets: { value: '<did...>', help: 'DIDs, or did:web:*.example.com (default: any)' },
  monetary_actions: { value: '<action...>', help: 'actions that must carry an amount' },
  not_before: { value: '<instant>', help: 'RFC 3339 instant from which it is valid' },
  expires_at: { value: '<instant>', help: 'RFC 3339 instant from which it is not valid any more' },
  description: { value: '<text>', help: 'up to 500 characters' },
  metadata: undefined,
};

const CHANGEABLE = { ...REQUIRED, ...OPTIONAL };
const ALL = { ...FIXED, ...CHANGEABLE };

/** What a passport may lack, as flags name it. */
export const OPTIONAL_FIELDS: readonly string[] = Object.keys(OPTIONAL).map(flagName);

/** Adds a flag for each field, or for each that may be changed. */
export function addFieldOptions(command: Command, which: 'all' | 'changeable'): Command {
  for (const [field, flag] of Object.entries(which === 'all' ? ALL : CHANGEABLE)) {
    if (flag !== undefined) command.option(`--${flagName(field)} ${flag.value}`, flag.help);
  }
  return command;
}

/** The fields that were given as flags; amounts stay text, so that they stay exact. */
export function fieldsOf(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const field of Object.keys(ALL)) {
    const value = options[field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}

/** The field that a flag names. */
export function fieldName(flag: string): string {
  return flag.replaceAll('-', '_');
}

function flagName(field: string): string {
  return field.replaceAll('_', '-');
}
