import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseBytesOfBase64Url,
  chooseToBase64Url,
  fromBase64Url,
  isCompactJws,
  toBase64Url,
} from '../../../src/base/bytes/base64url.ts';
import { cases } from '../../support/runs.ts';

const withoutBuffer = chooseToBase64Url({});
const readWithoutBuffer = chooseBytesOfBase64Url({});

test('bytes are written as Node writes them, with its Buffer and without, and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(20), (bytes, from) => {
      // A part of a longer buffer is written by itself.
      const part = bytes.subarray(from);
      const text = toBase64Url(part);
      expect([text, withoutBuffer(part)]).toEqual(Array(2).fill(Buffer.from(part).toString('base64url')));
      for (const read of [fromBase64Url, readWithoutBuffer]) expect(read(text)).toEqual(new Uint8Array(part));
    }),
    { numRuns: cases() },
  );
});

test('a long text is written in pieces', () => {
  const bytes = Uint8Array.from({ length: 400_001 }, (_, at) => at % 251);
  expect(withoutBuffer(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
});

test('a text is read only where it is what is written of its bytes', () => {
  const letters = fc.constantFrom(
    ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n\u00e9',
  );
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 9 }), (text) => {
      const isCanonical = Buffer.from(text, 'base64url').toString('base64url') === text;
      expect(fromBase64Url(text) !== undefined).toBe(isCanonical);
      expect(isCompactJws(`${text}.AA.AA`, 100)).toBe(isCanonical && text !== '');
    }),
    { numRuns: cases() },
  );
});
