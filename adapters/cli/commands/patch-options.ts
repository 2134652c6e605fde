/** The options that make a patch of a passport: a flag for each field, and the fields to remove. */
import { Option } from 'commander';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { fieldName, OPTIONAL_FIELDS } from './passport-fields.ts';
import { keysOf, PUBLIC_KEY, type PublicKeyOptions } from './public-key-files.ts';

/** The values of the options. */
export interface PatchFlags extends PublicKeyOptions {
  readonly remove?: readonly string[];
}

/** The options next to the flags of the fields. */
export const PATCH_OPTIONS: readonly Option[] = [
  PUBLIC_KEY,
  new Option('--remove <field...>', 'remove these').choices(OPTIONAL_FIELDS),
];

/** Returns the JSON Merge Patch of a file, and of flags, which win. It is empty if nothing is given. */
export async function patchOf(
  flags: object,
  options: PatchFlags,
  file: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const removed = Object.fromEntries((options.remove ?? []).map((flag) => [fieldName(flag), null]));
  const given: Record<string, unknown> = { ...flags, ...(await keysOf(options)) };
  const both = Object.keys(given).find((name) => name in removed);
  if (both !== undefined) throw usageError(`${both} cannot be changed and removed at once.`);
  return { ...(file !== undefined && (await readJsonFile(file))), ...removed, ...given };
}
