import type { RandomSource } from '../ports/storage.ts';
import type { Hashing } from './hashing.ts';
import { type NodeCrypto, nativeHashing } from './native.ts';
import { portableHashing } from './portable.ts';

export type { Hashing, ScryptCost } from './hashing.ts';

/** What the core may find in the global scope of Node, Bun or Deno, and does without elsewhere. */
interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (id: string) => unknown };
  readonly Buffer?: {
    byteLength(text: string): number;
    readonly prototype: { latin1Slice?(this: Uint8Array, start: number, end: number): string };
  };
}

const runtime = globalThis as unknown as Runtime;

/** Node's crypto where the runtime has it, else JavaScript. The two give the same answers. */
export const hashing: Hashing = chooseHashing(runtime);

/** {@link hashing} for a given global scope. */
export function chooseHashing(scope: Runtime): Hashing {
  const crypto = scope.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  return crypto === undefined ? portableHashing : nativeHashing(crypto);
}

/** Bytes from the operating system's generator; at most 65,536 at a time. */
export const secureRandom: RandomSource = {
  bytes: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
};

/** Whether two byte strings are equal, in a time that depends on their lengths only. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) {
    difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  }
  return difference === 0;
}

/** One UTF-16 unit per byte, at the same index. Bytes below 0x80 become their ASCII character, others any. */
export const asciiText: (bytes: Uint8Array) => string = chooseAsciiText(runtime);

/** {@link asciiText} for a given global scope. Buffer's own slice takes half of the decoder's time. */
export function chooseAsciiText(scope: Runtime): (bytes: Uint8Array) => string {
  const slice = scope.Buffer?.prototype.latin1Slice;
  if (slice !== undefined) return (bytes) => slice.call(bytes, 0, bytes.length);
  const decoder = new TextDecoder('latin1');
  return (bytes) => decoder.decode(bytes);
}

const { Buffer } = runtime;

/** How many bytes the text has as UTF-8. */
export const utf8Length: (text: string) => number =
  Buffer === undefined ? (text) => new TextEncoder().encode(text).length : (text) => Buffer.byteLength(text);
