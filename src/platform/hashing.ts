/** The cost of scrypt (RFC 7914). `N` is a power of two, `dkLen` the number of bytes of the result. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly dkLen: number;
}

/** Hash functions that are faster natively than in JavaScript. A text is hashed as UTF-8. */
export interface Hashing {
  sha256(data: string | Uint8Array): Uint8Array;
  sha256Hex(data: string | Uint8Array): string;
  scrypt(password: Uint8Array, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array>;
}
