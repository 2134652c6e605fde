/** The options for a patch of a passport: a flag for each field, and the fields to remove. */
import { Option } from 'commander';
import type { PublicKeyInput } from '../../../src/types.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { fieldName, OPTIONAL_FIELDS } from './passport-fields.ts';

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
