import { Option } from 'commander';
import type { PublicKeyInput } from '../../../src/types.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';

/** The option `--public-key`, as it was given. */
export interface PublicKeyOptions {
  readonly publicKey?: readonly string[];
}

/** The option `--public-key`. */
export const PUBLIC_KEY: Option = new Option(
  '--public-key <file...>',
  'JSON files of the public keys of the agent, each a JWK or a JWK set, - for stdin',
);

/**
 * Reads the field `public_keys` from these files; returns nothing without the option. A private key is refused here, so
 * that it never leaves this machine.
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
