/** 10^0 to 10^15, all exact: an integer below 2^53 over one of them is the nearest double of the quotient. */
const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * The number of a JSON number text, or `undefined` when the decimal it spells is not the shortest text of its
 * nearest double (`100.000000000000001`, `1e309`, `1e-400`), and for a negative zero (CONTRACT section 3).
 */
export function exactNumber(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  const spelled = decimal(text);
  const shortest = decimal(String(value));
  return spelled.digits === shortest.digits && spelled.exponent === shortest.exponent ? value : undefined;
}

/** `digits` over `10^places`; both small enough to be exact (at most 15 of each). */
export function shortDecimal(digits: number, places: number): number {
  return places === 0 ? digits : digits / (POWERS_OF_TEN[places] ?? Number.NaN);
}

interface Decimal {
  /** The significant digits, without zeros at either end; empty for zero. A minus stays in front. */
  readonly digits: string;
  /** Of the last digit; 0 for zero. */
  readonly exponent: number;
}

/** The value spelled by a JSON number text or by `String(number)`, in one canonical form. */
function decimal(text: string): Decimal {
  const sign = text.startsWith('-') ? '-' : '';
  const [mantissa = '', power = '0'] = text.slice(sign.length).toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let start = 0;
  let end = all.length;
  while (start < end && all.charCodeAt(start) === 0x30) start++;
  while (start < end && all.charCodeAt(end - 1) === 0x30) end--;
  if (start === end) return { digits: '', exponent: 0 };
  return {
    digits: sign + all.slice(start, end),
    exponent: Number(power) - fraction.length + all.length - end,
  };
}
