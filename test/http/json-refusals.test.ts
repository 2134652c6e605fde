import { describe, expect, test } from 'vitest';
import { encode, parsed, refusal } from './strict-json.ts';

describe('is refused', () => {
  test.each([
    ...[
      '',
      ' ',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a',
      '{]',
      '[}',
      '[1',
      '[1,',
      '[1,]',
      '[,]',
      '[,1]',
      '[1 2]',
    ],
    ...[
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      '{"a":1,}',
      '{"a" 1}',
      '{"a",1}',
      '{a:1}',
      "{'a':1}",
      '{1:1}',
      '{,}',
    ],
    ...[
      '{"a":1 "b":2}',
      '{"a"::1}',
      '[1]]',
      '{}{}',
      '1 2',
      '1,',
      'nul',
      'nulll',
      'True',
      'TRUE',
      'truefalse',
    ],
    ...[
      'NaN',
      'Infinity',
      '-Infinity',
      'undefined',
      '+1',
      '.5',
      '1.',
      '1.e1',
      '-',
      '--1',
      '01',
      '-01',
      '00',
      '1e',
    ],
    ...[
      '1e+',
      '1e1.5',
      '0x10',
      '1_000',
      '1n',
      '"\\x41"',
      '"\\u12"',
      '"\\u123g"',
      '"\\u"',
      '"\\',
      '"\\"',
      '"\\a"',
    ],
    ...[
      '"\\U0041"',
      '"\\u 041"',
      '"\\u+041"',
      '"\\é"',
      "'a'",
      '"\n"',
      '"\t"',
      '"\u001f"',
      '// c\n1',
      '/* */1',
      '1//',
    ],
    ...['\u00a01', '1\u2028', '\v1', '\f1', '[1\u0000]', '\u00001', '1\u0000', '\u0000', '{"a":1}\u0000'],
  ])('%j, which is no JSON', (text) => {
    expect(parsed(encode(text))).toBeUndefined();
    expect(refusal(text)?.message).toMatch(/ at line \d+, column \d+\.$/);
  });

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '{"a":1,"\\u0061":2}',
    '{"é":1,"\\u00e9":2}',
    '{"":1,"":2}',
    '{"1":1,"\\u0031":2}',
    '{"a":null,"a":null}',
    '[{"x":{"a":false,"a":true}}]',
    '{"constructor":1,"constructor":2}',
    '{"toString":1,"b":1,"toString":2}',
    '{"😀":1,"\\ud83d\\ude00":2}',
  ])('%s, which has a name twice', (text) => {
    expect(refusal(text)?.message).toContain('has a name twice');
  });

  test.each([
    '{"__proto__":1}',
    '{"__proto__":null}',
    '[{"a":{"\\u005f_proto__":{}}}]',
    '{"a":1,"__proto__":[]}',
  ])('%s, which has the name __proto__', (text) => {
    expect(refusal(text)?.message).toContain('the name __proto__');
  });

  test.each(['"\\u0000"', '{"\\u0000":1}', '["a\\u0000b"]', '"\\\\\\u0000"'])(
    '%s, which spells U+0000',
    (text) => {
      expect(refusal(text)).toBeDefined();
    },
  );

  test.each([
    ...[
      '"\\ud800"',
      '"\\udc00"',
      '"\\ud800a"',
      '"\\ud800\\n"',
      '"\\ud800\\u0061"',
      '"\\ud800\\ud800\\udc00"',
    ],
    ...[
      '"\\udc00\\ud800"',
      '{"\\ud83d":1}',
      '"\\ud83d\\ude00\\ude00"',
      '"\\uDBFF"',
      '"\\uDFFF"',
      '"\\ud800\\\\udc00"',
    ],
  ])('%s, which spells a lone surrogate', (text) => {
    expect(refusal(text)).toBeDefined();
  });

  test.each([
    ['a byte-order mark', [0xef, 0xbb, 0xbf, 0x31]],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00]],
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['a cut sequence', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['an encoded pair of surrogates (CESU-8)', [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22]],
    ['a code point beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['a byte that is never UTF-8', [0x22, 0xff, 0x22]],
    ['Latin-1 in a name', [0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]],
    ['bad UTF-8 behind an escape', [0x22, 0x5c, 0x6e, 0xe9, 0x22]],
    ['bad UTF-8 as an escape', [0x22, 0x5c, 0xe9, 0x22]],
    ['a raw U+0000', [0x22, 0x00, 0x22]],
  ])('%s', (_, bytes) => {
    expect(refusal(Uint8Array.from(bytes))).toBeDefined();
  });

  test('more than 32 levels', () => {
    const nest = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
    expect(refusal(nest(32, '[', ']'))).toBeUndefined();
    expect(refusal(nest(33, '[', ']'))?.message).toContain('too many levels');
    expect(refusal(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)).toBeUndefined();
    expect(refusal(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)?.message).toContain('too many levels');
    expect(refusal('['.repeat(65_536))?.message).toContain('too many levels');
    expect(refusal(`[${Array(50).fill('[[[]]]').join()}]`)).toBeUndefined();
    expect(refusal('[]', { maxDepth: 0 })).toBeDefined();
    expect(refusal('1', { maxDepth: 0 })).toBeUndefined();
  });

  test('more than 1,000 members and elements together, or the number given', () => {
    const list = (length: number) => JSON.stringify(Array(length).fill(0));
    expect(refusal(list(1_000))).toBeUndefined();
    expect(refusal(list(1_001))?.message).toContain('too many members');
    expect(refusal(list(10_000), { maxMembers: 10_000 })).toBeUndefined();
    expect(refusal(list(10_001), { maxMembers: 10_000 })).toBeDefined();
    const object = (length: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length }, (_, i) => [`n${i}`, i])));
    expect(refusal(object(1_000))).toBeUndefined();
    expect(refusal(object(1_001))).toBeDefined();
    const mixed = (length: number) => `{"a":${list(499)},"b":{"c":${list(length)}}}`;
    expect(refusal(mixed(498))).toBeUndefined();
    expect(refusal(mixed(499))).toBeDefined();
  });
});

describe('says what stood where, and shows nothing of it:', () => {
  test.each([
    ['{"a": 1,\n "b": 2,\n    }', 'a comma before } at line 3, column 5'],
    ['[1, 2, ]', 'a comma before ] at line 1, column 8'],
    ['{"a": "hunter2', 'the text ends inside a string at line 1, column 15'],
    ['{"a": [1', 'the text ends inside an array at line 1, column 9'],
    ['{"a": 1', 'the text ends inside an object at line 1, column 8'],
    ['{', 'the text ends inside an object at line 1, column 2'],
    ['', 'the text ends at line 1, column 1'],
    ['{"é": hunter2}', 'a word without quotation marks where a value must be at line 1, column 7'],
    ['{"a": truehunter2}', 'a word without quotation marks where a comma or } must be at line 1, column 11'],
    ['{hunter2: 1}', 'a word without quotation marks where a name in quotation marks must be'],
    ["{'hunter2': 1}", 'an apostrophe instead of a quotation mark where a name in quotation marks must be'],
    ['{"a" "hunter2"}', 'a string where a colon must be at line 1, column 6'],
    ['{"a": 1 "hunter2": 2}', 'a string where a comma or } must be at line 1, column 9'],
    [
      '{"a": 1} hunter2',
      'a word without quotation marks after the end of the JSON text at line 1, column 10',
    ],
    ['{"a": // hunter2\n 1}', 'a comment where a value must be at line 1, column 7'],
    ['{"a": "hunter2\n"}', 'a line break inside a string at line 1, column 15'],
    ['\ufeff{}', 'a byte-order mark where a value must be at line 1, column 1'],
    ['{]', 'the character ] where a name in quotation marks must be at line 1, column 2'],
    ['[,hunter2]', 'a comma where a value must be at line 1, column 2'],
    ['{"a":1,2:1}', 'a number where a name in quotation marks must be at line 1, column 8'],
    ['{"a"', 'the text ends inside an object at line 1, column 5'],
    ['[1 2]', 'a number where a comma or ] must be at line 1, column 4'],
    ['nul', 'a word without quotation marks where a value must be at line 1, column 1'],
    ['# hunter2', 'a comment where a value must be at line 1, column 1'],
    ['"hunter2\r"', 'a line break inside a string at line 1, column 9'],
    ['"hunter2\t"', 'a tab inside a string at line 1, column 9'],
    ['"hunter2\u0001"', 'a control character inside a string at line 1, column 9'],
    ['\v1', 'a control character where a value must be at line 1, column 1'],
    // Each shares two of its three bytes with a byte-order mark.
    ['\u0eff', 'a character that has no place in JSON where a value must be at line 1, column 1'],
    ['\uff3f', 'a character that has no place in JSON where a value must be at line 1, column 1'],
    ['\ufefe', 'a character that has no place in JSON where a value must be at line 1, column 1'],
    ['[01]', 'a number that begins with 0 at line 1, column 2'],
    ['[1.]', 'a number without a digit behind its point at line 1, column 2'],
    ['[-]', 'a minus without a number at line 1, column 2'],
    ['[1e]', 'an exponent without a digit at line 1, column 3'],
    ['[0.1000000000000000001]', 'a number that a double cannot hold exactly, which needs quotation marks,'],
  ])('%j', (text, words) => {
    const message = refusal(text)?.message;
    expect(message).toContain(`The body is not acceptable JSON: ${words}`);
    expect(message).not.toContain('hunter2');
  });

  test('bytes that are not UTF-8', () => {
    const latin1 = refusal(Uint8Array.from([0x22, 0x80, 0x22]))?.message;
    expect(latin1).toBe('The body is not acceptable JSON: a string that is not UTF-8 at line 1, column 2.');
  });
});
