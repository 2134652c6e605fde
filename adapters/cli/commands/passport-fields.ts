import { Option } from 'commander';
import type { PassportInput, PassportPatch } from '../../../src/index.ts';
import { PASSPORT_FLAGS } from '../../../src/schema/passport-words.ts';
import type { OptionalPassportField, PublicKeyInput } from '../../../src/types.ts';
import {
  readApproval,
  readBudget,
  readCondition,
  readOrder,
  readPace,
  readTrustedIssuer,
} from '../input/named-values.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
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

const OPTIONAL_FIELDS: readonly string[] = without(CHANGING, REQUIRED).map(flagName);

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

function fieldName(flag: string): string {
  return flag.replaceAll('-', '_');
}

function listOf(read: (text: string) => unknown): Reader {
  return (text, before) => [...(Array.isArray(before) ? before : []), read(text)];
}

function flagName(field: string): string {
  return field.replaceAll('_', '-');
}

// The options for a patch of a passport: a flag for each field, and the fields to remove.

export interface PublicKeyOptions {
  readonly publicKey?: readonly string[];
}

export const PUBLIC_KEY: Option = new Option(
  '--public-key <file...>',
  'JSON files with the public keys of the agent, each a JWK or a JWK set; - reads stdin',
);

/**
 * Reads the field `public_keys` from these files. Without the option, returns an empty object. A private key is
 * refused, so that it never leaves this machine.
 */
export async function keysOf({
  publicKey: files,
}: PublicKeyOptions): Promise<{ readonly public_keys?: readonly PublicKeyInput[] }> {
  if (files === undefined) return {};
  const public_keys = [];
  for (const file of files) {
    const read = await readJsonFile(file);
    const keys: readonly unknown[] = Array.isArray(read['keys']) ? read['keys'] : [read];
    if (keys.some(isPrivate)) {
      throw usageError(
        `${file} holds a private key: give the file of its public key, and keep this one secret.`,
      );
    }
    public_keys.push(...keys);
  }
  // The service checks them, and names every member that is wrong.
  return { public_keys: public_keys as readonly PublicKeyInput[] };
}

function isPrivate(key: unknown): boolean {
  return typeof key === 'object' && key !== null && ('d' in key || 'k' in key);
}

export interface PatchFlags extends PublicKeyOptions {
  readonly remove?: readonly string[];
}

export const PATCH_OPTIONS: readonly Option[] = [
  PUBLIC_KEY,
  new Option('--remove <field...>', 'passport fields to remove').choices(OPTIONAL_FIELDS),
];

export async function patchOf(
  flags: object,
  options: PatchFlags,
  file: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const removedFields = Object.fromEntries((options.remove ?? []).map((flag) => [fieldName(flag), null]));
  const input: Record<string, unknown> = { ...flags, ...(await keysOf(options)) };
  const sharedName = Object.keys(input).find((name) => name in removedFields);
  if (sharedName !== undefined) throw usageError(`${sharedName} cannot be changed and removed at once.`);
  return { ...(file !== undefined && (await readJsonFile(file))), ...removedFields, ...input };
}
