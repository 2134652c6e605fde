/** The table of CRC-32/ISO-HDLC, the checksum of zip and PNG. */

const TABLE: Int32Array = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export function crc32OfText(text: string, length: number = text.length): number {
  let crc = -1;
  for (let index = 0; index < length; index++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}

/**
 * The checksum tables for a byte that is followed by 1, 2 or 3 other bytes. Processing four bytes at a time takes half
 * as long.
 */
const NEXT: Int32Array = /* @__PURE__ */ nextTable(TABLE);
const NEXT_2: Int32Array = /* @__PURE__ */ nextTable(NEXT);
const NEXT_3: Int32Array = /* @__PURE__ */ nextTable(NEXT_2);

function nextTable(table: Int32Array): Int32Array {
  return table.map((crc) => (crc >>> 8) ^ (TABLE[crc & 0xff] as number));
}

export function crc32(bytes: Uint8Array, length: number = bytes.length): number {
  let crc = -1;
  let index = 0;
  for (; index + 4 <= length; index += 4) {
    crc ^=
      (bytes[index] as number) |
      ((bytes[index + 1] as number) << 8) |
      ((bytes[index + 2] as number) << 16) |
      ((bytes[index + 3] as number) << 24);
    crc =
      (NEXT_3[crc & 0xff] as number) ^
      (NEXT_2[(crc >>> 8) & 0xff] as number) ^
      (NEXT[(crc >>> 16) & 0xff] as number) ^
      (TABLE[crc >>> 24] as number);
  }
  for (; index < length; index += 1) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[index] as number)) & 0xff] as number);
  }
  return ~crc >>> 0;
}
