const ZERO = 0x30;

/** 10^0 to 10^15, all exact: an integer below 2^53 over one of them is the nearest double of the quotient. */
const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * The number of a JSON number text, or `undefined` when the decimal it spells is not the shortest text of its
 * nearest double (`100.000000000000001`, `1e309`, `1e-400`), and for a negative zero.
 */
export function exactNumber(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  // With the same digits they are the same decimal: another power of ten has another nearest double.
  return significantDigits(text) === significantDigits(String(value)) ? value : undefined;
}

/** `digits` over `10^places`; both small enough to be exact (at most 15 of each). */
export function shortDecimal(digits: number, places: number): number {
  return places === 0 ? digits : digits / (POWERS_OF_TEN[places] ?? Number.NaN);
}

/** Without zeros at either end; nothing for zero. */
function significantDigits(text: string): string {
  const digits = text.replace(/[-.]|e.*/gi, '');
  // No pattern: one that looks for zeros at the end takes time that grows with the square of their number.
  let start = 0;
  let end = digits.length;
  while (digits.charCodeAt(start) === ZERO) start++;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(start, end);
}
