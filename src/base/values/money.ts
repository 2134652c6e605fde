import type { Amount } from '../../records.ts';

/**
 * Converts an amount to minor units with `decimals` places, such as 19.99 with 2 decimals to 1999. Throws if the amount
 * has more decimals.
 */
export function toUnits(amount: Amount, decimals: number): bigint {
  return BigInt(digitsOf(amount, decimals));
}

export function toSafeUnits(amount: Amount, decimals: number): number | undefined {
  if (typeof amount === 'number') {
    const scale = SCALES[decimals] as number;
    const product = Math.round(amount * scale);
    // No two decimals of at most 15 digits have the same nearest double.
    if (product < EXACT && product / scale === amount) return product;
  }
  const units = Number(digitsOf(amount, decimals));
  // A larger number is never rounded to a safe integer.
  return Number.isSafeInteger(units) ? units : undefined;
}

export function unitsText(units: bigint | number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

export function unitsAmount(units: number, decimals: number): Amount {
  return units < EXACT ? units / (SCALES[decimals] as number) : toAmount(unitsText(units, decimals));
}

/** The number of units below which a division gives the exact amount. For example, 1999 / 100 is shown as 19.99. */
const EXACT = 1e15;

function digitsOf(amount: Amount, decimals: number): string {
  const [whole = '', fraction = ''] = amountText(amount).split('.');
  if (fraction.length > decimals) throw new RangeError('The amount has more decimals than the unit.');
  return whole + fraction.padEnd(decimals, '0');
}

export const MAX_DECIMALS = 6;

/**
 * ISO 4217 list one, up to amendment 180: the active currencies and funds, by their number of decimals. Withdrawn codes
 * (HRK, SLL, ZWL, CUC, ANG, BGN) are left out. Removing a code that is in use requires a new major version, because a
 * passport with this code would then deny everything. Metals, units of account, the test code and "no currency" have no
 * minor unit in ISO 4217. They get the maximum number of decimals.
 */
const CODES_BY_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD ' +
    'CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP ' +
    'GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT ' +
    'LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN ' +
    'NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB ' +
    'SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS ' +
    'UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
  [MAX_DECIMALS]: 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX',
};

let decimals: ReadonlyMap<string, number> | undefined;

/**
 * Returns the number of decimals of an active ISO 4217 code, or `undefined` for any other text. If ISO defines no
 * decimals, it returns `MAX_DECIMALS`.
 */
export function currencyDecimals(code: string): number | undefined {
  // Built when a currency is first named: at load it took half a millisecond of the five of a cold start.
  decimals ??= new Map(
    Object.entries(CODES_BY_DECIMALS).flatMap(([number, codes]) =>
      codes.split(' ').map((code) => [code, Number(number)] as const),
    ),
  );
  return decimals.get(code);
}

export function currencyCode(name: unknown): string | null {
  return typeof name === 'string' && currencyDecimals(name) !== undefined ? name : null;
}

/**
 * Matches the whole part, then the fraction without trailing zeros. The length of the fraction is limited, because a
 * longer search would take quadratic time.
 */
const DECIMAL = new RegExp(`^(0|[1-9]\\d*)(?:\\.(?!$)(\\d{0,${MAX_DECIMALS}}?)0*)?$`);
const MAX = 1e15;
const MAX_CENTS = 1e9;
const FRACTIONS = /* @__PURE__ */ Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1));
export const SCALES: readonly number[] = /* @__PURE__ */ Array.from(
  { length: MAX_DECIMALS + 1 },
  (_, decimals) => 10 ** decimals,
);

/**
 * Reads an exact decimal, or returns `null`. A string must match `(0|[1-9][0-9]*)(\.[0-9]+)?`; a number counts as its
 * shortest decimal text. The range is 0 to 10^15 with at most `maxDecimals` decimals (0 to `MAX_DECIMALS`; trailing
 * zeros do not count). `-0`, NaN and every other type give `null`.
 */
export function readAmount(value: unknown, maxDecimals: number = MAX_DECIMALS): Amount | null {
  if (typeof value === 'number') return readNumber(value, maxDecimals);
  return typeof value === 'string' ? readText(value, maxDecimals) : null;
}

export function amountText(amount: Amount): string {
  // The shortest text of any double takes a third of a verdict (100 ns); from cents it takes 43 ns. An amount that is
  // text equals no number and is returned as it is.
  const cents = Math.round((amount as number) * 100);
  return cents < MAX_CENTS && cents / 100 === amount
    ? Math.floor(amount) + (FRACTIONS[cents % 100] as string)
    : String(amount);
}

export function compareAmounts(a: Amount, b: Amount): number {
  // The shortest text of a double is monotone in the double, so two numbers compare as their texts do.
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
}

function compareTexts(x: string, y: string): number {
  return Number.parseInt(x, 10) - Number.parseInt(y, 10) || Number(x > y) - Number(x < y);
}

/**
 * Returns the number for a canonical decimal text if the number has the same shortest text; otherwise returns the text.
 */
export function toAmount(canonical: string): Amount {
  const number = Number(canonical);
  return String(number) === canonical ? number : canonical;
}

function readNumber(value: number, maxDecimals: number): Amount | null {
  if (value < 0 || Object.is(value, -0)) return null;
  const scale = SCALES[maxDecimals] as number;
  // Exact below 2^50, which is more than MAX.
  if (value * scale < MAX) return Math.round(value * scale) / scale === value ? value : null;
  return readText(String(value), maxDecimals);
}

function readText(text: string, maxDecimals: number): Amount | null {
  const [, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (!whole || fraction.length > maxDecimals) return null;
  const canonical = fraction ? `${whole}.${fraction}` : whole;
  return Number(whole) < MAX || canonical === String(MAX) ? toAmount(canonical) : null;
}
