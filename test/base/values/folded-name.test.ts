import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedForms, foldedName, hasDisguise, knownName } from '../../../src/base/values/folded-name.ts';
import { cases } from '../../support/runs.ts';

test.each([
  ['Amount', 'amount'],
  ['PARAM\u017f', 'params'],
  ['to\u212aen', 'token'],
  ['method\u0000', 'method'],
  ['\u0000 me\u0000thod\t\u0000 ', 'method'],
  ['name of it', 'name of it'],
  ['GRÖ\u1e9eE', 'größe'],
  ['ΠΟΣΌΣ', 'ποσόσ'],
  ['ποσός', 'ποσόσ'],
  ['\u00b5', '\u03bc'],
  ['\u2126', '\u03c9'],
  ['l\u0131mit', 'l\u0131mit'],
  ['stra\u00dfe', 'stra\u00dfe'],
  ['', ''],
])('%j is folded to %j', (name, folded) => {
  expect(foldedName(name)).toBe(folded);
});

test('names that are equal by the simple case folding of Unicode have one folded name', () => {
  // The folding of regular expressions is that of Unicode, and an implementation of its own.
  const isEqual = (one: string, other: string) =>
    new RegExp(
      `^${[...one].map((letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join('')}$`,
      'iu',
    ).test(other);
  const letter = fc.constantFrom(...'aAsSkKſKıIiİßẞµμςσΣωΩΩåÅÅéÉ._-1');
  const word = fc.string({ unit: letter, minLength: 1, maxLength: 4 });
  let equal = 0;
  fc.assert(
    fc.property(word, word, fc.boolean(), (one, drawn, isSame) => {
      const other = isSame ? [...one].map((own) => own.toUpperCase().charAt(0)).join('') : drawn;
      if (!isEqual(one, other)) return;
      equal += 1;
      expect(foldedName(other)).toBe(foldedName(one));
    }),
    { numRuns: cases() * 10 },
  );
  expect(equal).toBeGreaterThan(0);
});

test('every letter of the plane is folded as its regular expression says', () => {
  const wrong: string[] = [];
  for (let code = 0x80; code < 0x1_0000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const letter = String.fromCharCode(code);
    for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
      if (other === letter || other.length !== 1) continue;
      if (!new RegExp(`^\\u{${code.toString(16)}}$`, 'iu').test(other)) continue;
      if (foldedName(letter) !== foldedName(other)) wrong.push(`${code.toString(16)} ${letter} ${other}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('what is before a U+0000 may be the whole name', () => {
  expect(foldedForms('Amount\u0000x')).toEqual(['amountx', 'amount']);
  const amount = knownName('amount');
  expect(hasDisguise({ amount: 1, amounts: 2, 'the amount': 3 }, amount)).toBe(false);
  for (const name of ['Amount', 'amount\u0000', 'amount\u0000x', ' amount'])
    expect([name, hasDisguise({ amount: 1, [name]: 2 }, amount)]).toEqual([name, true]);
});
