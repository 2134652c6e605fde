/** The parameters of RFC 3492 section 5. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 128;
const DIGIT_0 = 0x30;
const LETTER_A = 0x61;
/** The upper bits of every surrogate. */
const SURROGATES = 0xd800 >> 11;
/** The part before the last delimiter, and the digits after it. */
const PARTS = /^(?:(.+)-)?([a-z0-9]+)$/s;

/**
 * Says whether the text, ASCII without `xn--`, is the Punycode (RFC 3492 section 6.2) of a text that is not ASCII. No
 * two accepted texts decode to the same text: each number has one spelling, code points are inserted in one order, and
 * capital digits are refused.
 */
export function isPunycode(encoded: string): boolean {
  // Text without digits is treated as a number that does not end, and refused.
  const [, basic = '', digits = '9'] = PARTS.exec(encoded) ?? [];
  let { length } = basic;
  let codePoint = INITIAL_CODE_POINT;
  let place = -INITIAL_BIAS;
  let damp = DAMP;
  let delta = 0;
  let index = 0;
  let weight = 1;
  for (let at = 0; at < digits.length; at += 1) {
    const code = digits.charCodeAt(at);
    // `a` to `z` are 0 to 25, `0` to `9` are 26 to 35.
    const digit = code < LETTER_A ? code - DIGIT_0 + 26 : code - LETTER_A;
    delta += digit * weight;
    place += BASE;
    const threshold = Math.min(Math.max(place, T_MIN), T_MAX);
    weight *= BASE - threshold;
    if (digit >= threshold) continue;
    // The number ends here.
    length += 1;
    index += delta;
    codePoint += Math.floor(index / length);
    // Written so that NaN is refused.
    if (!(codePoint <= 0x10ffff) || codePoint >> 11 === SURROGATES) return false;
    // The next bias (RFC 3492 section 6.1).
    delta = Math.floor(delta / damp);
    delta += Math.floor(delta / length);
    for (place = 0; delta > ((BASE - T_MIN) * T_MAX) / 2; place -= BASE)
      delta = Math.floor(delta / (BASE - T_MIN));
    place -= Math.floor((BASE * delta) / (delta + SKEW));
    index = (index % length) + 1;
    damp = 2;
    delta = 0;
    weight = 1;
  }
  return weight === 1;
}
