import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Hashing, ScryptCost } from './hashing.ts';

/** Hash functions in JavaScript, for runtimes without Node's crypto. scrypt yields to the event loop every 10 ms. */
export const portableHashing: Hashing = {
  sha256: (data) => sha256(toBytes(data)),
  sha256Hex: (data) => bytesToHex(sha256(toBytes(data))),
  async scrypt(password, salt, cost) {
    // Loaded with the first password, not with the module: where Node's crypto exists, it is not needed.
    const { scryptAsync } = await import('@noble/hashes/scrypt.js');
    return scryptAsync(password, salt, { ...cost, maxmem: scryptMemory(cost) });
  },
};

/** Returns how many bytes of memory scrypt may need: its table, its blocks, and a reserve. */
export function scryptMemory({ N, r, p }: ScryptCost): number {
  return 128 * r * (N + p + 2) + 65_536;
}

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? utf8ToBytes(data) : data;
}
