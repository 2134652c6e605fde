import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/json/read-json.ts';
import { cases } from '../support/runs.ts';
import { encode, parsed, read, refusal } from './strict-json.ts';

fc.configureGlobal({ seed: 20261120 });

/** Any JSON value that is not to be refused. */
const acceptable = fc
  .jsonValue({ stringUnit: 'binary', maxDepth: 5 })
  .filter((value) => !/\\u0000|"__proto__":/.test(JSON.stringify(value)));

/** What only we refuse; all the other problems are breaches of the grammar. */
const STRICTER = /a name twice|name __proto__|bad escape|hold exactly|too many levels|too many members/;

describe('agrees with JSON.parse', () => {
  test('on every acceptable value, however it is spaced and escaped', () => {
    const indent = fc.constantFrom(undefined, 1, '\t', '\n \r\t');
    fc.assert(
      fc.property(acceptable, indent, fc.boolean(), (value, space, escaped) => {
        const plain = JSON.stringify(value, null, space);
        const text = escaped ? plain.replace(/[^\n\r\t -~]/g, toEscape).replaceAll('/', '\\/') : plain;
        expect(read(text)).toStrictEqual(JSON.parse(text));
        expect(JSON.stringify(read(`\n${text} `))).toBe(JSON.stringify(value));
      }),
      { numRuns: cases(2_000) },
    );
  });

  test('on any bytes, or refuses them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        agreesOrRefuses(bytes);
      }),
      { numRuns: cases(5_000) },
    );
  });

  test('on any tokens in a row, or refuses them', () => {
    const token = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"a"',
        '"b"',
        '""',
        '"\\',
        '"',
        '\\',
        '\\u00',
        '1',
        '-',
        '0',
        '.5',
        'e1',
        'E+2',
      ],
      ...[
        'true',
        'false',
        'null',
        'nul',
        ' ',
        '\n',
        '\t',
        '\u0000',
        '\u00a0',
        '\ufeff',
        'é',
        '"é"',
        '"\\u0061"',
      ],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 9 }), (tokens) => {
        agreesOrRefuses(encode(tokens.join('')));
      }),
      { numRuns: cases(20_000) },
    );
  });

  test('on a valid text with some bytes changed, or refuses it', () => {
    const edit = fc.record({ place: fc.nat(), remove: fc.nat(2), insert: fc.uint8Array({ maxLength: 2 }) });
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.array(edit, { maxLength: 3 }),
        (value, edits) => {
          let bytes = [...encode(JSON.stringify(value))];
          for (const { place, remove, insert } of edits)
            bytes = bytes.toSpliced(place % bytes.length, remove, ...insert);
          agreesOrRefuses(Uint8Array.from(bytes));
        },
      ),
      { numRuns: cases(5_000) },
    );
  });

  function agreesOrRefuses(bytes: Uint8Array): void {
    const refused = refusal(bytes, { maxDepth: 100, maxMembers: 100_000 });
    const theirs = parsed(bytes);
    if (refused === undefined) expect({ value: readJson(bytes) }).toStrictEqual(theirs);
    else if (theirs !== undefined) expect(refused.message).toMatch(STRICTER);
  }

  function toEscape(character: string): string {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  }
});

describe('agrees with JSON.parse on', () => {
  const long = (length: number, text = 'a') => JSON.stringify(text.repeat(length));
  test.each([
    'true',
    ' \t\r\n null \t\r\n',
    '[]',
    '{}',
    '[ ]',
    '{ }',
    '[[],{},[[]]]',
    ' [ 1 , -2.5 , "a" , false ] ',
    '[0,1,9,10,90,-9,0.9,1e9,1E-9,2e+9]',
    '{"a":{"b":[1,{"c":null}]},"d":true,"e":[false]}',
    ' { "a" : 1 , "b" : { } } ',
    '{"a":[1],"b":"\\n","c":""}',
    '["", "\\"", "\\\\", "a\\\\", "é\\n", "~\u007f\u0080"]',
  ])('%s', (text) => {
    expect(read(text)).toStrictEqual(JSON.parse(text));
  });

  test('strings in short texts and in longer ones, with and without escapes', () => {
    for (const length of [1_021, 1_022, 1_023, 5_000]) {
      for (const text of [long(length), long(length, 'é'), long(length, '\n'), `[${long(length)},"b\\t"]`]) {
        expect(read(text)).toStrictEqual(JSON.parse(text));
      }
    }
  });
});

test.each([
  ['', 0],
  [' ', 1],
  ['1 x', 2],
  ['1\u0000', 1],
  ['[1,', 3],
  ['[1 2]', 3],
  ['{"a":1,}', 7],
  ['{1:1}', 1],
  ['{"a" 1}', 5],
  ['{"a":1 "b":2}', 7],
  ['[{"a":1,"a":2}]', 1],
  ['{ "__proto__":1}', 2],
  ['["a\nb"]', 3],
  ['["ab', 4],
  ['["\\x"]', 2],
  [' nul', 1],
  [' -', 1],
  ['[01]', 1],
  ['[1.]', 1],
  ['[1e]', 2],
  ['[1e+]', 2],
  ['[-0]', 1],
])('%j is refused at byte %i', (text, offset) => {
  expect(refusal(text)?.details).toMatchObject({ offset });
  expect(refusal(text)?.message).toMatch(/: \S.* at \S+ \d+/);
});

describe('is read', () => {
  test.each([
    ['{"constructor":1,"toString":2,"hasOwnProperty":3}', ['constructor', 'toString', 'hasOwnProperty']],
    ['{"b":1,"a":2}', ['b', 'a']],
    ['{"":1}', ['']],
    ['{"prototype":1,"__proto":2,"__proto__ ":3}', ['prototype', '__proto', '__proto__ ']],
  ])('%s as plain own data', (text, names) => {
    const value = read(text) as object;
    expect(Object.keys(value)).toEqual(names);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\\u00e9\\u00E9é"', 'ééé'],
    ['"\\ud83d\\ude00"', '\u{1f600}'],
    ['"\\uD83D\\uDE00\\ud83d\\ude00"', '\u{1f600}\u{1f600}'],
    ['"😀\\n😀"', '😀\n😀'],
    ['"\\\\u0000"', '\\u0000'],
    ['"\u007f"', '\u007f'],
    ['"\ufeff"', '\ufeff'],
    ['"\ufffd\\ufffe\uffff"', '\ufffd\ufffe\uffff'],
    ['"\u2028\u2029"', '\u2028\u2029'],
    ['"/"', '/'],
  ])('%s as the text it spells', (text, value) => {
    expect(read(text)).toBe(value);
    expect(read(`{${text}:${text}}`)).toStrictEqual({ [value]: value });
  });

  test('a view into a larger buffer by its own bytes only', () => {
    const bytes = encode('xx{"a":"é1"}yy');
    expect(readJson(bytes.subarray(2, -2))).toEqual({ a: 'é1' });
    expect(readJson(Buffer.from('[1,"b"]'))).toEqual([1, 'b']);
  });
});

test('numbers beyond doubles and U+0000 are read where the caller asks for it, and only there', () => {
  const limits = { mayHoldNul: true, inexactNumber: (text: string) => ({ text }) };
  const read = (text: string, own: object) => readJson(encode(text), own);
  expect(read('[1e400,-0,0.5,"a\\u0000b"]', limits)).toEqual([
    { text: '1e400' },
    { text: '-0' },
    0.5,
    'a\u0000b',
  ]);
  for (const text of ['1e400', '-0', '"\\u0000"']) expect(() => read(text, {})).toThrow('not acceptable');
  for (const text of ['"\\ud800"', '01', '"\u0000"'])
    expect(() => read(text, limits)).toThrow('not acceptable');
});
