import { expect, test } from 'vitest';
import { fromBase64, fromPaddedBase64, toBase64, toPaddedBase64 } from '../../../src/base/bytes/base64.ts';

// RFC 4648 section 10, and the two characters that base64url spells otherwise.
test.each([
  ['', ''],
  ['66', 'Zg'],
  ['666f', 'Zm8'],
  ['666f6f', 'Zm9v'],
  ['666f6f62', 'Zm9vYg'],
  ['666f6f6261', 'Zm9vYmE'],
  ['fbff', '+/8'],
])('the bytes %j are %j, and back', (hex, text) => {
  const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
  expect(toBase64(bytes)).toBe(text);
  expect(fromBase64(text)).toEqual(bytes);
  const padded = Buffer.from(bytes).toString('base64');
  expect(toPaddedBase64(bytes)).toBe(padded);
  expect(fromPaddedBase64(padded)).toEqual(bytes);
});

test.each(['Z', 'Zm9vY', 'Zh', 'Zg==', 'Zm 8', 'Zm9', ' Zg'])(
  '%j is not what bytes are spelled as',
  (text) => {
    expect(fromBase64(text)).toBeUndefined();
  },
);

test.each(['Zg', 'Zg=', 'Zg===', 'Zh==', 'Zm9v=', '=', '_w==', 'Zg==\n', ' Zg=='])(
  '%j is not what bytes are spelled as with padding',
  (text) => {
    expect(fromPaddedBase64(text)).toBeUndefined();
  },
);
