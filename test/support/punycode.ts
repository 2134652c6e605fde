/** The parameters of RFC 3492 section 5. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 128;
/** The text before the last delimiter, and the digits after it. */
const PARTS = /^(?:(.+)-)?([a-z0-9]*)$/s;

/**
 * Returns the Unicode text of a Punycode text without `xn--` (RFC 3492 section 6.2), by the textbook; `undefined` if
 * it is malformed. For the tests only.
 *
 * No two texts decode to the same text, so a decoded text re-encodes to the same bytes. Each number has one spelling,
 * code points are inserted in one order, and capital digits are refused.
 */
export function decodePunycode(encoded: string): string | undefined {
  const [, basic = '', digits = '-'] = PARTS.exec(encoded) ?? [];
  const output = [...basic];
  const rest = [...digits];
  let codePoint = INITIAL_CODE_POINT;
  let index = 0;
  let bias = INITIAL_BIAS;
  while (rest.length > 0) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      // `a` to `z` are 0 to 25, `0` to `9` are 26 to 35; any other letter, or a missing one, is NaN.
      const digit = (Number.parseInt(rest.shift() ?? '', BASE) + 26) % BASE;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (!(digit >= threshold)) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    codePoint += Math.floor(index / length);
    // Written so that NaN is refused.
    if (!(codePoint <= 0x10ffff) || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined;
    bias = adapt(Math.floor((index - before) / (before === 0 ? DAMP : 2)), length);
    index %= length;
    output.splice(index, 0, String.fromCodePoint(codePoint));
    index += 1;
  }
  return output.join('');
}

/** The next bias (RFC 3492 section 6.1). */
function adapt(delta: number, length: number): number {
  let rest = delta + Math.floor(delta / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor((BASE * rest) / (rest + SKEW));
}
