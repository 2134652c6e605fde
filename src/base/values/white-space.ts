/**
 * Returns the text without optional white space at its ends, which is SP and HTAB only (RFC 9110 section 5.6.3). `trim`
 * also removes characters such as 0xA0, which are part of a value, so different values could become equal.
 */
export function trimWhiteSpace(text: string): string {
  // No regular expression: a search for white space at the end takes quadratic time.
  let start = 0;
  let end = text.length;
  // Both loops end at the ends of the text. In a text of white space alone, `start` passes `end` and the slice is
  // empty.
  while (isWhiteSpace(text.charCodeAt(start))) start += 1;
  while (isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const SP = 0x20;
const HTAB = 0x09;

function isWhiteSpace(unit: number): boolean {
  return unit === SP || unit === HTAB;
}
