import type { StoredValue } from '../../ports/stored.ts';

export const texts: Readonly<Record<string, string>> = {
  'single and double quotes': `it's "quoted" \`here\``,
  'SQL that would end the statement': `'); DROP TABLE ais_accounts; --`,
  'wildcards of LIKE and globs': '%_*?[a-z]\\',
  'placeholders of statements': '? ?1 :id @id $1 {{id}} %s',
  'words that mean nothing': 'null',
  'the name undefined': 'undefined',
  'what looks like a number': '0123.4500',
  'what looks like a large exponent': '1e309',
  'what looks like JSON': '{"__proto__":{"admin":true}}',
  'separators of keys': 'a:b|c/d\\e,f;g h@i#j',
  'line ends and tabs': 'a\r\nb\tc\u2028d\u2029e\u0085f',
  'control characters': '\u0001\u0007\u001b[31m\u007f',
  'white space at both ends': '  a\u00a0 ',
  'an emoji of several code points': '👩‍👩‍👧‍👦🏳️‍🌈',
  'letters with combining marks': 'A\u030angstro\u0308m',
  'right-to-left text with marks': '\u202eשלום\u200f عربي',
  'the end of the basic plane': '\ufffd\ufffe\uffff\ue000',
  'the end of Unicode': '\u{10000}\u{10ffff}',
  'a byte-order mark': '\ufeffa',
  '500 characters': 'é'.repeat(500),
  '65,536 characters': `${'😀x'.repeat(21_845)}y`,
};

/** Names with a meaning in JavaScript. */
export const names: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
];

/** Pairs of ids that a careless comparison could confuse. */
export const lookalikes: Readonly<Record<string, readonly [string, string]>> = {
  'letter case': ['Agent', 'agent'],
  'letter case outside ASCII': ['\u0130STANBUL', 'i\u0307stanbul'],
  'a space at the end': ['agent', 'agent '],
  'a space at the start': [' agent', 'agent'],
  'a line end': ['agent', 'agent\n'],
  'the normalisation form': ['caf\u00e9', 'cafe\u0301'],
  'the width of letters': ['\uff41gent', 'agent'],
  'an invisible character': ['agent', 'agent\u200b'],
  'the form of a number': ['1', '01'],
};

export const values: Readonly<Record<string, StoredValue>> = {
  'an empty list': [],
  'an empty object': {},
  'an empty text': '',
  true: true,
  false: false,
  null: null,
  'the largest integer': Number.MAX_SAFE_INTEGER,
  'the smallest integer': Number.MIN_SAFE_INTEGER,
  'lists in lists': [[], [[]], [[1, [2, [3]]], null]],
  'every kind of value in one list': ['1', 1, true, null, {}, []],
  'names of numbers, kept as names': { '1': 'a', '0': 'b', '-1': 'c' },
  'names that differ in letter case': { a: 1, A: 2 },
  'an object 30 deep': nested(30),
};

function nested(depth: number): StoredValue {
  return depth === 0 ? 'end' : { in: nested(depth - 1) };
}
