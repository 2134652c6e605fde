import type { Hashing } from './hashing.ts';
import { type NodeCrypto, nativeHashing } from './native.ts';
import { portableHashing } from './portable.ts';

export type { Hashing, ScryptCost } from './hashing.ts';
export { secureRandom } from './random.ts';
export { asciiText, chooseAsciiText, utf8Length } from './text.ts';

interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (id: string) => unknown };
}

const runtime = globalThis as unknown as Runtime;

/** Hashes with Node's crypto if the runtime has it, and otherwise in JavaScript with the same results. */
export const hashing: Hashing = chooseHashing(runtime);

/** Returns {@link hashing} for a given global scope. */
export function chooseHashing(scope: Runtime): Hashing {
  const crypto = scope.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  return crypto === undefined ? portableHashing : nativeHashing(crypto);
}

/** Returns `true` if two byte strings are equal, in a time that depends only on their lengths. */
export function equalBytes(leftBytes: Uint8Array, right: Uint8Array): boolean {
  if (leftBytes.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < leftBytes.length; index++) {
    difference |= (leftBytes[index] ?? 0) ^ (right[index] ?? 0);
  }
  return difference === 0;
}
