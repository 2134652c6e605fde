import type { Command } from 'commander';

/** Of a passport what is decided once. */
const FIRST: readonly (readonly [string, string])[] = [
  ['--domain <domain>', 'the domain that answers for the agent'],
  ['--agent-name <name>', 'its name there'],
];

/** One flag per other field of a passport; the field is the flag with `_` for `-`. */
const CHANGEABLE: readonly (readonly [string, string])[] = [
  ['--allowed-actions <action...>', 'actions, or patterns such as orders.*'],
  ['--monetary-limit-per-txn <amount>', 'exact decimal, such as 99.50'],
  ['--denied-actions <action...>', 'actions that are denied even if they are allowed'],
  ['--currency <code>', 'ISO 4217, such as EUR'],
  ['--allowed-targets <did...>', 'DIDs, or did:web:*.example.com (default: any)'],
  ['--monetary-actions <action...>', 'actions that must carry an amount'],
  ['--not-before <instant>', 'RFC 3339 instant from which it is valid'],
  ['--expires-at <instant>', 'RFC 3339 instant from which it is not valid any more'],
  ['--description <text>', 'up to 500 characters'],
];

/** What a passport may lack, as flags name it. */
export const OPTIONAL_FIELDS: readonly string[] = [
  'denied-actions',
  'currency',
  'allowed-targets',
  'monetary-actions',
  'not-before',
  'expires-at',
  'description',
  'metadata',
];

/** Adds a flag for each field, or for each that may be changed. */
export function addFieldOptions(command: Command, which: 'all' | 'changeable'): Command {
  for (const [flags, description] of which === 'all' ? [...FIRST, ...CHANGEABLE] : CHANGEABLE) {
    command.option(flags, description);
  }
  return command;
}

/** The fields that were given as flags; amounts stay text, so that they stay exact. */
export function fieldsOf(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [flags] of [...FIRST, ...CHANGEABLE]) {
    const name = flags.slice(2, flags.indexOf(' '));
    const value = options[name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) fields[fieldName(name)] = value;
  }
  return fields;
}

/** The field that a flag names. */
export function fieldName(flag: string): string {
  return flag.replaceAll('-', '_');
}
