import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sharedDocument } from '../../src/http/dispatch.ts';

const TEXT = JSON.stringify({ text: 'ä'.repeat(10_000) });

test('makes the text once, and every answer shares its bytes', async () => {
  let made = 0;
  const document = sharedDocument(() => {
    made += 1;
    return TEXT;
  });
  const replies = await Promise.all(Array.from({ length: 100 }, () => document([])));
  expect(made).toBe(1);
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
  expect(new TextDecoder().decode(replies[0]?.body as Uint8Array)).toBe(TEXT);
});

test.each([
  ['deflate', true],
  ['gzip, deflate, br', true],
  ['gzip;q=1.0, Deflate;q=0.5', true],
  ['deflate;q=0', false],
  ['deflate; q=0.000', false],
  ['gzip', false],
  ['', false],
  ['xdeflate', false],
])('for Accept-Encoding "%s" the body is compressed: %s', async (accepted, isCompressed) => {
  const { body, headers } = await sharedDocument(() => TEXT)(['Accept-Encoding', accepted]);
  expect(headers?.['content-encoding']).toBe(isCompressed ? 'deflate' : undefined);
  expect(headers?.['vary']).toBe('accept-encoding');
  const bytes = body as Uint8Array;
  expect(new TextDecoder().decode(isCompressed ? inflateSync(bytes) : bytes)).toBe(TEXT);
});

test('answers 304 for the ETag of the same encoding, and 200 for that of another one', async () => {
  const document = sharedDocument(() => TEXT);
  const plain = (await document([])).headers?.['etag'] ?? '';
  const encoded = (await document(['accept-encoding', 'deflate'])).headers?.['etag'] ?? '';
  expect(plain).not.toBe(encoded);
  expect((await document(['if-none-match', plain])).notModified).toBe(true);
  expect((await document(['if-none-match', encoded])).notModified).toBeUndefined();
  const both = ['accept-encoding', 'deflate', 'if-none-match', `W/${encoded}`];
  expect((await document(both)).notModified).toBe(true);
});
