/** CRC-32/ISO-HDLC: that of zip and PNG. */

const TABLE: Int32Array = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** Over the first `length` characters of an ASCII text. */
export function crc32OfText(text: string, length: number = text.length): number {
  let crc = -1;
  for (let index = 0; index < length; index++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}

/** Over the first `length` bytes. */
export function crc32(bytes: Uint8Array, length: number = bytes.length): number {
  let crc = -1;
  for (let index = 0; index < length; index++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[index] as number)) & 0xff] as number);
  }
  return ~crc >>> 0;
}
