/** The number of slots to which a cluster assigns keys. */
const SLOTS = 16_384;

/**
 * Returns the slot of all keys that begin with `{namespace}`. It is their CRC-16 (XMODEM), modulo the number of slots.
 */
export function slotOf(namespace: string): number {
  let crc = 0;
  for (const byte of Buffer.from(namespace)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc % SLOTS;
}
