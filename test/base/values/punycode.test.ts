import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPunycode } from '../../../src/base/values/agent-id.ts';
import { decodePunycode } from '../../support/punycode.ts';
import { cases } from '../../support/runs.ts';

/** From RFC 3492 section 7.1 (those without capitals) and from the root zone. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ['egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
  ['ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
  ['ihqwctvzc91f659drss3x8bo0yb', '他們爲什麽不說中文'],
  ['4dbcagdahymbxekheh6e0a7fei0b', 'למההםפשוטלאמדבריםעברית'],
  ['n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa', 'なぜみんな日本語を話してくれないのか'],
  ['b1abfaaepdrnnbgefbadotcwatmq2g4l', 'почемужеонинеговорятпорусски'],
  ['mnchen-3ya', 'münchen'],
  ['bcher-kva', 'bücher'],
  ['p1ai', 'рф'],
  ['fiqs8s', '中国'],
  ['n3h', '\u2603'],
  ['ls8h', '\u{1f4a9}'],
  ['dn32g', '\u{10ffff}'],
];

test.each(EXAMPLES)('%s decodes to %s', (encoded, text) => {
  expect(isPunycode(encoded)).toBe(true);
  expect(decodePunycode(encoded)).toBe(text);
});

test('what the platform encodes is Punycode of the same text', () => {
  const letters = fc.constantFrom(...'abcz019äöüßéñøœłžяжיא中国日本語ไทย한국어');
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 12 }), (parts) => {
      const text = parts.join('').normalize('NFC');
      const url = `http://${text}.example`;
      const label = URL.canParse(url) ? new URL(url).hostname.split('.')[0] : undefined;
      if (!label?.startsWith('xn--')) return;
      expect(isPunycode(label.slice(4))).toBe(true);
      expect(decodePunycode(label.slice(4))).toBe(text);
    }),
    { numRuns: cases() },
  );
});

test('what is Punycode is what decodes, and re-encodes to the same bytes', () => {
  const digits = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-');
  let drawn = 0;
  let decoded = 0;
  fc.assert(
    fc.property(fc.array(digits, { minLength: 1, maxLength: 20 }), (parts) => {
      drawn += 1;
      const encoded = parts.join('');
      const text = decodePunycode(encoded);
      expect(isPunycode(encoded)).toBe(/\P{ASCII}/u.test(text ?? ''));
      if (text === undefined || encoded.endsWith('-')) return;
      decoded += 1;
      expect(encodePunycode(text)).toBe(encoded);
    }),
    { numRuns: cases(50_000) },
  );
  expect(decoded * 50).toBeGreaterThanOrEqual(drawn);
});

test('of an example with one digit changed, added or left out, what decodes is Punycode', () => {
  const digits = [...'abcdefghijklmnopqrstuvwxyz0123456789', ''];
  for (const [encoded] of EXAMPLES) {
    for (let at = 0; at <= encoded.length; at += 1) {
      for (const digit of digits) {
        for (const rest of [encoded.slice(at), encoded.slice(at + 1)]) {
          const other = encoded.slice(0, at) + digit + rest;
          const expected = /\P{ASCII}/u.test(decodePunycode(other) ?? '');
          if (isPunycode(other) !== expected) expect(other).toBe(expected ? 'Punycode' : 'none');
        }
      }
    }
  }
});

test('the bias is taken anew down to the limit of RFC 3492, and no further', () => {
  for (const encoded of ['aaa-0q3f2tnybsm', 'd6vrxwv2ub', 'ppu373gxc']) {
    expect(isPunycode(encoded)).toBe(true);
    expect(decodePunycode(encoded)).toMatch(/\P{ASCII}/u);
  }
});

test.each([
  ['a capital', 'MNCHEN-3YA'],
  ['no digit', 'bücher'],
  ['a number that does not end', 'mnchen-3y'],
  ['a number too great', '99999999999a'],
  ['a surrogate pair, which would be a second spelling of U+10F423', 'o49bsc'],
  ['a code point beyond Unicode', 'v041h'],
  ['a surrogate right behind the last code point before them', 'hb9bc'],
  ['a hyphen in front of nothing basic', '-3ya'],
  ['nothing', ''],
  ['nothing but what is basic', 'abc-'],
  ['a number beyond all doubles', '9'.repeat(2_000)],
])('%s is refused', (_why, encoded) => {
  expect(isPunycode(encoded)).toBe(false);
});

/** RFC 3492 section 6.3, for the tests alone. */
function encodePunycode(text: string): string {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < 128);
  let output = basic.length > 0 ? `${String.fromCodePoint(...basic)}-` : '';
  let [next, delta, bias, handled] = [128, 0, 72, basic.length];
  while (handled < points.length) {
    const least = Math.min(...points.filter((point) => point >= next));
    delta += (least - next) * (handled + 1);
    next = least;
    for (const point of points) {
      if (point < next) delta += 1;
      if (point !== next) continue;
      let rest = delta;
      for (let k = 36; ; k += 36) {
        const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
        if (rest < threshold) break;
        output += digitOf(threshold + ((rest - threshold) % (36 - threshold)));
        rest = Math.floor((rest - threshold) / (36 - threshold));
      }
      output += digitOf(rest);
      bias = adapted(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    next += 1;
  }
  return output;
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}

function digitOf(digit: number): string {
  return 'abcdefghijklmnopqrstuvwxyz0123456789'.charAt(digit);
}
