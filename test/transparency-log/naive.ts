/** The tree of RFC 6962 by its definitions, over hashes of leaves. Only the hashes of ranges are remembered. */
import { createHash } from 'node:crypto';

type Hash = Uint8Array;

function sha256(...parts: readonly Uint8Array[]): Hash {
  return new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());
}

/** The hash of an entry. */
export function naiveLeaf(entry: string): Hash {
  return sha256(Uint8Array.of(0), new TextEncoder().encode(entry));
}

/** The definitions over the first `size` leaves of a list. */
export interface NaiveTree {
  root(size: number): Hash;
  path(size: number, leaf: number): readonly Hash[];
  proof(size: number, older: number): readonly Hash[];
}

/** Makes the tree over these leaves. */
export function naiveTree(leaves: readonly Hash[]): NaiveTree {
  const known = new Map<string, Hash>();

  /** Section 2.1: MTH of the leaves from `from` up to `to`. */
  function mth(from: number, to: number): Hash {
    if (to - from < 2) return to === from ? sha256() : (leaves[from] as Hash);
    const name = `${from} ${to}`;
    const k = split(from, to);
    const hash = known.get(name) ?? sha256(Uint8Array.of(1), mth(from, k), mth(k, to));
    known.set(name, hash);
    return hash;
  }

  /** Section 2.1.1: PATH. */
  function path(m: number, from: number, to: number): readonly Hash[] {
    if (to - from === 1) return [];
    const k = split(from, to);
    return m < k ? [...path(m, from, k), mth(k, to)] : [...path(m, k, to), mth(from, k)];
  }

  /** Section 2.1.2: SUBPROOF. */
  function subproof(m: number, from: number, to: number, isWhole: boolean): readonly Hash[] {
    if (m === to) return isWhole ? [] : [mth(from, to)];
    const k = split(from, to);
    return m <= k
      ? [...subproof(m, from, k, isWhole), mth(k, to)]
      : [...subproof(m, k, to, false), mth(from, k)];
  }

  return {
    root: (size: number) => mth(0, size),
    path: (size: number, leaf: number) => path(leaf, 0, size),
    proof: (size: number, older: number) => subproof(older, 0, size, true),
  };
}

/** Where the largest power of two below the length of the range ends. */
function split(from: number, to: number): number {
  return from + 2 ** Math.floor(Math.log2(to - from - 1));
}
