import type { Hashing } from './hashing.ts';
import { scryptMemory } from './portable.ts';

type Data = string | Uint8Array;

export interface NodeCrypto {
  /** Hashes in one call, without a Hash object. Node 20.12 and later have it. */
  readonly hash?: {
    (algorithm: 'sha256', data: Data, encoding: 'hex'): string;
    (algorithm: 'sha256', data: Data, encoding: 'buffer'): Uint8Array;
  };
  readonly createHash: (algorithm: 'sha256') => NodeHash;
  readonly scrypt: (
    password: Uint8Array,
    salt: Uint8Array,
    length: number,
    options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
    /** The callback. Without an error, Node passes `null` and Bun passes `undefined`. */
    callback: (error: Error | null | undefined, key: Uint8Array) => void,
  ) => void;
}

interface NodeHash {
  update(data: Data): NodeHash;
  digest(): Uint8Array;
  digest(encoding: 'hex'): string;
}

/** Creates the hash functions with Node's crypto. scrypt runs on the thread pool of Node, not on the event loop. */
export function nativeHashing({ hash, createHash, scrypt }: NodeCrypto): Hashing {
  return {
    sha256:
      hash === undefined
        ? (data) => new Uint8Array(createHash('sha256').update(data).digest())
        : (data) => new Uint8Array(hash('sha256', data, 'buffer')),
    sha256Hex:
      hash === undefined
        ? (data) => createHash('sha256').update(data).digest('hex')
        : (data) => hash('sha256', data, 'hex'),
    scrypt: (password, salt, cost) =>
      new Promise((resolve, reject) => {
        const { N, r, p, dkLen } = cost;
        scrypt(password, salt, dkLen, { N, r, p, maxmem: scryptMemory(cost) }, (error, key) => {
          if (error) reject(error);
          else resolve(Uint8Array.from(key));
        });
      }),
  };
}
