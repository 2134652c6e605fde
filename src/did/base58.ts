const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Encodes bytes in base58btc, as Bitcoin addresses and Multibase do: each leading zero byte is a `1`. */
export function toBase58(bytes: Uint8Array): string {
  let text = '';
  let rest = bytes.reduce((integer, byte) => integer * 256n + BigInt(byte), 0n);
  for (; rest > 0n; rest /= 58n) text = `${ALPHABET[Number(rest % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
