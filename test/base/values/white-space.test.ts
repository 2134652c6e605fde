import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trimWhiteSpace } from '../../../src/base/values/white-space.ts';

fc.configureGlobal({ seed: 20261122 });

test.each([
  ['', ''],
  [' ', ''],
  ['\t \t', ''],
  ['a', 'a'],
  ['a b\tc', 'a b\tc'],
  [' \ta', 'a'],
  ['a\t ', 'a'],
  [' a ', 'a'],
  ['\u00a0a\u00a0', '\u00a0a\u00a0'],
  ['\na\r', '\na\r'],
])('%j without white space around it is %j', (text, trimmed) => {
  expect(trimWhiteSpace(text)).toBe(trimmed);
});

test('only spaces and tabs are taken away, and only at the ends', () => {
  const around = fc.string({ unit: fc.constantFrom(' ', '\t') });
  const unit = fc.constantFrom(
    ' ',
    '\t',
    'a',
    '\u00a0',
    '\u0085',
    '\v',
    '\f',
    '\r',
    '\n',
    '\ufeff',
    '\u2003',
  );
  fc.assert(
    fc.property(around, fc.string({ unit }), around, (before, text, behind) => {
      const trimmed = trimWhiteSpace(`${before}${text}${behind}`);
      expect(trimmed).toBe(trimWhiteSpace(text));
      expect(trimmed).not.toMatch(/^[ \t]|[ \t]$/);
      expect(text).toContain(trimmed);
      expect(text.replace(trimmed, '')).toMatch(/^[ \t]*$/);
    }),
  );
});
