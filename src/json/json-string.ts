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
  let done = 0;
  for (let at = raw.indexOf('\\'); at !== -1; at = raw.indexOf('\\', done)) {
    value += raw.slice(done, at);
    const simple = SIMPLE_ESCAPES[raw.charAt(at + 1)];
    if (simple !== undefined) {
      value += simple;
      done = at + 2;
      continue;
    }
    const unit = unicodeEscape(raw, at);
    if (unit === undefined || (unit === 0 && !mayHoldNul) || isLowSurrogate(unit)) return undefined;
    value += String.fromCharCode(unit);
    done = at + 6;
    if (!isHighSurrogate(unit)) continue;
    const low = unicodeEscape(raw, done);
    if (low === undefined || !isLowSurrogate(low)) return undefined;
    value += String.fromCharCode(low);
    done += 6;
  }
  return value + raw.slice(done);
}

function unicodeEscape(raw: string, at: number): number | undefined {
  if (raw.charAt(at) !== '\\' || raw.charAt(at + 1) !== 'u') return undefined;
  const digits = raw.slice(at + 2, at + 6);
  return FOUR_HEX_DIGITS.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
