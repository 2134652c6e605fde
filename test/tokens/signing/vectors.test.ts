import { expect, test } from 'vitest';
import { importPrivateKey, importPublicKey, signBytes } from '../../../src/platform/signing.ts';
import { thumbprintOf } from '../../../src/tokens/signing/thumbprint.ts';

test('the thumbprint of RFC 7638 section 3.1', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  expect(thumbprintOf({ kty: 'RSA', e: 'AQAB', n })).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
});

/** RFC 8037 appendix A.1. */
const A1 = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
} as const;

test('the thumbprint of RFC 8037 appendix A.3', () => {
  const { d: _, ...members } = A1;
  expect(thumbprintOf(members)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test('the thumbprint of the Ed25519 key of RFC 9421 appendix B.1.4', () => {
  const members = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
  expect(thumbprintOf(members)).toBe('poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U');
});

test('the signature of RFC 8037 appendix A.4, and its verification in A.5', async () => {
  const input = new TextEncoder().encode('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc');
  const signature = await signBytes('EdDSA', await importPrivateKey('EdDSA', A1), input);
  expect(Buffer.from(signature).toString('base64url')).toBe(
    'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
  );
  const { d: _, ...members } = A1;
  const key = await importPublicKey('EdDSA', members);
  const verify = (bytes: Uint8Array<ArrayBuffer>) =>
    crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), bytes);
  expect(await verify(input)).toBe(true);
  expect(await verify(input.with(0, 0x66))).toBe(false);
});
