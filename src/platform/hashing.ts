/** The cost of one scrypt run (RFC 7914): `N` a power of two, `dkLen` the number of bytes wanted. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly dkLen: number;
}

/** What runs faster natively than in JavaScript. Text is hashed as its UTF-8 bytes. */
export interface Hashing {
  /** SHA-256 (FIPS 180-4): 32 bytes. */
  sha256(data: string | Uint8Array): Uint8Array;
  /** SHA-256 as 64 lower-case hexadecimal digits. */
  sha256Hex(data: string | Uint8Array): string;
  /** scrypt (RFC 7914). Rejects a cost outside the RFC's bounds. */
  scrypt(password: Uint8Array, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array>;
}
