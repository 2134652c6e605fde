const ZERO = 0x30;

/**
 * The powers 10^0 to 10^15, all exact. If an integer below 2^53 is divided by one of them, the result is the nearest
 * floating-point number.
 */
const POWERS_OF_TEN: readonly number[] = /* @__PURE__ */ Array.from(
  { length: 16 },
  (_, exponent) => 10 ** exponent,
);

/**
 * Returns the number of a JSON number text. Returns `undefined` if a floating-point number cannot hold it exactly
 * (`100.000000000000001`, `1e309`, `1e-400`), and for a negative zero.
 */
export function exactNumber(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  // With the same digits they are the same decimal: another power of ten has another nearest double.
  return significantDigits(text) === significantDigits(String(value)) ? value : undefined;
}

/**
 * Returns `digits` divided by `10^places`. The caller ensures at most 15 digits and 15 places, so that both operands
 * are exact.
 */
export function shortDecimal(digits: number, places: number): number {
  return places === 0 ? digits : digits / (POWERS_OF_TEN[places] ?? Number.NaN);
}

function significantDigits(text: string): string {
  const digits = text.replace(/[-.]|e.*/gi, '');
  // No regular expression: a search for zeros at the end takes quadratic time.
  let start = 0;
  let end = digits.length;
  while (digits.charCodeAt(start) === ZERO) start++;
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(start, end);
}
