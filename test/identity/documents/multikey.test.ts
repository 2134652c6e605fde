import { expect, test } from 'vitest';
import { toBase58, toMultikey } from '../../../src/identity/documents.ts';

test('base58btc: the vectors of draft-msporny-base58 section 5', () => {
  const text = (plain: string) => new TextEncoder().encode(plain);
  expect(toBase58(text('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
  expect(toBase58(text('The quick brown fox jumps over the lazy dog.'))).toBe(
    'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
  );
  expect(toBase58(Uint8Array.from([0x00, 0x00, 0x28, 0x7f, 0xb4, 0xcd]))).toBe('11233QC4');
  expect(toBase58(new Uint8Array(0))).toBe('');
  expect(toBase58(new Uint8Array(3))).toBe('111');
});

test('Multikey: the vectors of did:key for Ed25519 and P-256', () => {
  expect(toMultikey({ kty: 'OKP', crv: 'Ed25519', x: 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik' })).toBe(
    'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
  );
  expect(
    toMultikey({
      kty: 'EC',
      crv: 'P-256',
      x: 'fyNYMN0976ci7xqiSdag3buk-ZCwgXU4kz9XNkBlNUI',
      y: 'hW2ojTNfH7Jbi8--CJUo3OCbH3y5n91g-IMA9MLMbTU',
    }),
  ).toBe('zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169');
});
