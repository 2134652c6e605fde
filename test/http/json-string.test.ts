import { expect, test } from 'vitest';
import { readEscapes } from '../../src/json/json-string.ts';

test.each([
  ['', ''],
  ['no escape', 'no escape'],
  ['\\"\\\\\\/\\b\\f\\n\\r\\t', '"\\/\b\f\n\r\t'],
  ['a\\nb\\nc', 'a\nb\nc'],
  ['\\u0041b', 'Ab'],
  ['a\\u00e9\\u00E9b', 'aééb'],
  ['\\u0001', '\u0001'],
  ['\\ud7ff\\ue000', '\ud7ff\ue000'],
  ['\\ud800\\udc00', '\u{10000}'],
  ['\\udbff\\udfff', '\u{10ffff}'],
  ['a\\uD83D\\uDE00b\\n', 'a\u{1f600}b\n'],
  ['\\\\u0041', '\\u0041'],
])('%s spells %j', (raw, text) => {
  expect(readEscapes(raw)).toBe(text);
});

test.each([
  ['U+0000', '\\u0000'],
  ['an escape that JSON does not know', 'a\\x41'],
  ['a capital U', '\\U0041'],
  ['three digits', '\\u041'],
  ['three digits and another character', '\\u041g'],
  ['four digits, one of them none', 'a\\u00-1b'],
  ['nothing behind the u', '\\u'],
  ['the first half of a pair alone', '\\ud83d'],
  ['the first half of a pair, and text', '\\ud83dDE00'],
  ['the first half of a pair, and another escape', '\\ud83d\\n'],
  ['the first half of a pair, and something like the second', '\\ud83d-ude00'],
  ['the first half of a pair, and a backslash without its u', '\\ud83d\\-de00'],
  ['the first half of a pair twice', '\\ud800\\udbff'],
  ['the first half of a pair, and a letter before the range of the second', '\\ud83d\\udbff'],
  ['the first half of a pair, and a letter behind the range of the second', '\\ud83d\\ue000'],
  ['the first of the second halves alone', '\\udc00'],
  ['the last of the second halves alone', '\\udfff'],
  ['the last of the first halves alone', '\\udbff'],
])('%s is refused: %s', (_why, raw) => {
  expect(readEscapes(raw)).toBeUndefined();
});
