import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStrictly } from '../../src/json/parse-strictly.ts';
import { readJson } from '../../src/json/read-json.ts';
import { encode } from '../http/strict-json.ts';
import { seedOf, sized } from '../support/runs.ts';

/** What a reader makes of a text: its value with the order of the names, or the word for a refusal. */
function outcomeOf(read: (bytes: Uint8Array) => unknown, bytes: Uint8Array): unknown {
  try {
    const value = read(bytes);
    return { value, text: JSON.stringify(value) };
  } catch {
    return 'refused';
  }
}

/** Compares both readers. Returns whether they accept the text. */
function agree(text: string | Uint8Array): boolean {
  const bytes = typeof text === 'string' ? encode(text) : text;
  const [outcome, expected] = [outcomeOf(parseStrictly, bytes), outcomeOf(readJson, bytes)];
  // `toStrictEqual` would compare members with the name `constructor` by identity.
  if (!isDeepStrictEqual(outcome, expected)) expect(outcome).toBe(expected);
  return outcome !== 'refused';
}

const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r ');
/** Names of which two are often the same, spelt in the same way or not, and some that are refused. */
const name = fc.constantFrom(
  ...['a', 'a', 'b', 'c', 'd', 'e', 'f', '', '\\u0061', '\\u0062', '\\n', '\\"', '\\\\', '0', ':', '\\":'],
  ...['é', '\\u00e9', '😀', '\\ud83d\\ude00', 'constructor', '__proto__', '\\u005f_proto__', '\\u0000'],
);
const string = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map(insideQuotes) },
  { weight: 1, arbitrary: fc.constantFrom('\\ud800', '\\udc00\\ud800', '\\ud83d😀', '\\x', '\\u12', '\t') },
);
const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/),
  fc.constantFrom('-0', '0.0', '-0.0', '0e5', '1e309', '1e-400', '01', '1.', '.5', '+1', '5e-324', '-'),
  fc.constantFrom('100.000000000000001', '9007199254740993', '9007199254740992', '1E5', '123456789012345'),
);

function insideQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Texts by the grammar of JSON, with all that only the strict readers refuse. */
const { value: text } = fc.letrec<{ value: string; member: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(number, string.map(quoted), fc.constantFrom('true', 'false', 'null', '{}', '[]')),
    fc.array(tie('value'), { maxLength: 4 }).map((parts) => `[${parts.join()}]`),
    fc.array(tie('member'), { maxLength: 4 }).map((parts) => `{${parts.join()}}`),
  ),
  member: fc
    .tuple(space, string, space, tie('value'), space)
    .map(([before, key, after, value, end]) => `${before}${quoted(key)}${after}:${value}${end}`),
}));

function quoted(inside: string): string {
  return `"${inside}"`;
}

/** A change of some bytes of a text. */
interface Edit {
  readonly place: number;
  readonly remove: number;
  readonly insert: Uint8Array;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  place: fc.nat(),
  remove: fc.nat({ max: 2 }),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 2 }),
    fc.constantFrom('"', '\\', ':', ',', '{}', '"a":1,', '\ufeff', '\u00a0', '\u2028', '-').map(encode),
  ),
});

function edited(of: string, edits: readonly Edit[]): Uint8Array {
  let bytes = [...encode(of)];
  for (const { place, remove, insert } of edits)
    bytes = bytes.toSpliced(place % (bytes.length + 1), remove, ...insert);
  return Uint8Array.from(bytes);
}

describe('parseStrictly accepts and refuses the same texts as readJson:', () => {
  const seed = seedOf(20261130);
  const numRuns = sized(50_000, 3_000, 5_000);

  /** Tries texts, and demands that at least a twentieth is accepted, and as many refused. */
  function tryAll<Part>(texts: fc.Arbitrary<Part>, isAccepted: (part: Part) => boolean): void {
    let accepted = 0;
    let tried = 0;
    const property = fc.property(texts, (part) => {
      tried += 1;
      if (isAccepted(part)) accepted += 1;
    });
    fc.assert(property, { numRuns, seed });
    expect(accepted, `seed ${seed}`).toBeGreaterThan(tried / 20);
    expect(tried - accepted, `seed ${seed}`).toBeGreaterThan(tried / 20);
  }

  test(`${numRuns} random texts (seed ${seed})`, () => {
    tryAll(text, agree);
  });

  test(`${numRuns} random texts with some bytes changed (seed ${seed})`, () => {
    const edits = fc.array(edit, { minLength: 1, maxLength: 2 });
    tryAll(fc.tuple(text, edits), ([valid, changes]) => agree(edited(valid, changes)));
  });

  test('texts at the limits of levels, of members and elements, and of a document', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels)}0${'}]'.repeat(levels)}`;
    const members = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":[]`).join();
    expect([15, 16, 17, 5_000].map((levels) => agree(nested(levels)))).toEqual([true, true, false, false]);
    expect([32, 33].map((levels) => agree(`${'['.repeat(levels)}${']'.repeat(levels)}`))).toEqual([
      true,
      false,
    ]);
    expect([999, 1_000, 1_001].map((count) => agree(`{${members(count)}}`))).toEqual([true, true, false]);
    expect([496, 497].map((count) => agree(`[{${members(count)}},${'[0],'.repeat(251)}0]`))).toEqual([
      true,
      false,
    ]);
    expect(agree(`"${'a\\n'.repeat(80_000)}"`)).toBe(true);
    expect(agree(`[${'9'.repeat(200_000)}]`)).toBe(false);
  });

  test.each([
    ['', false],
    [' ', false],
    ['{"a":1,"a":1}', false],
    ['{"a":1,"\\u0061":1}', false],
    ['{"a":{"b":1},"a":{"b":1}}', false],
    ['[{"a":":"},{"a":"\\":"}]', true],
    ['{"":{"":{"":""}}}', true],
    ['{"__proto__":1}', false],
    ['{"a":"\\u0000"}', false],
    ['{"\\udfff":1}', false],
    ['["\\\\ud800"]', true],
    ['[-0]', false],
    ['["-0",0]', true],
    ['\ufeff{}', false],
    ['{}{}', false],
    ['{"a":1,}', false],
  ])('%s', (given, accepted) => {
    expect(agree(given)).toBe(accepted);
  });
});
