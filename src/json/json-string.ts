const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const FOUR_HEX_DIGITS = /^[0-9A-Fa-f]{4}$/;

/**
 * Resolves the escapes of a JSON string without its quotes. Returns `undefined` for a malformed escape or a lone
 * surrogate, and for U+0000 unless `mayHoldNul` is set. `raw` must be well-formed and have a character after its last
 * backslash.
 */
export function readEscapes(raw: string, mayHoldNul = false): string | undefined {
  let value = '';
  let position = 0;
  for (let index = raw.indexOf('\\'); index !== -1; index = raw.indexOf('\\', position)) {
    value += raw.slice(position, index);
    const simple = SIMPLE_ESCAPES[raw.charAt(index + 1)];
    if (simple !== undefined) {
      value += simple;
      position = index + 2;
      continue;
    }
    const unit = unicodeEscape(raw, index);
    if (unit === undefined || (unit === 0 && !mayHoldNul) || isLowSurrogate(unit)) return undefined;
    value += String.fromCharCode(unit);
    position = index + 6;
    if (!isHighSurrogate(unit)) continue;
    const low = unicodeEscape(raw, position);
    if (low === undefined || !isLowSurrogate(low)) return undefined;
    value += String.fromCharCode(low);
    position += 6;
  }
  return value + raw.slice(position);
}

function unicodeEscape(raw: string, position: number): number | undefined {
  if (raw.charAt(position) !== '\\' || raw.charAt(position + 1) !== 'u') return undefined;
  const digits = raw.slice(position + 2, position + 6);
  return FOUR_HEX_DIGITS.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
