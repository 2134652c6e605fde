/**
 * Returns the text without the optional white space around it: SP and HTAB only (RFC 9110 section 5.6.3). `trim` also
 * removes 0xA0 and others, which are part of a value: with it, two different values would be equal.
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
