/**
 * The text without the optional white space around it: SP and HTAB only (RFC 9110 section 5.6.3). `trim` also
 * removes 0xA0 and others, which are part of a value: with it, two different values would count as one.
 */
export function trimWhiteSpace(text: string): string {
  // No pattern: one that looks for white space at the end takes time that grows with the square of its length.
  let start = 0;
  let end = text.length;
  // Outside the text there is no white space, and of white space alone nothing is left between the two.
  while (isWhiteSpace(text.charCodeAt(start))) start += 1;
  while (isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const SP = 0x20;
const HTAB = 0x09;

function isWhiteSpace(unit: number): boolean {
  return unit === SP || unit === HTAB;
}
