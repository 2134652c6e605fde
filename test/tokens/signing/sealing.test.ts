import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { expect, test } from 'vitest';
import { generateKeyPair } from '../../../src/platform/signing.ts';
import { createKeySealing } from '../../../src/tokens/signing/sealing.ts';
import { thumbprintOf } from '../../../src/tokens/signing/thumbprint.ts';

const [FIRST, SECOND] = ['uN3_kE7-yG1.bD5+wS9~oV2*fM8=qT6?', 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!'];

async function sealedKey() {
  const { private_jwk, public_jwk } = await generateKeyPair('EdDSA');
  const kid = thumbprintOf(public_jwk);
  return { kid, private_jwk, sealed: await createKeySealing([FIRST]).seal(kid, private_jwk) };
}

test('a sealed key is opened by its secret alone, and by it as a previous one', async () => {
  const { kid, private_jwk, sealed } = await sealedKey();
  expect(sealed).not.toContain(private_jwk.d);
  expect(await createKeySealing([FIRST]).open(kid, sealed)).toEqual({ jwk: private_jwk, isCurrent: true });
  expect(await createKeySealing([SECOND, FIRST]).open(kid, sealed)).toEqual({
    jwk: private_jwk,
    isCurrent: false,
  });
  expect(await createKeySealing([SECOND]).open(kid, sealed)).toBeUndefined();
  expect(await createKeySealing([]).open(kid, sealed)).toBeUndefined();
});

/** The key that the contract derives, by another implementation. */
const contentKey = (secret: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'agent-identity-service signing keys v1', 32));

test('jose opens what is sealed, and what jose seals is opened', async () => {
  const { kid, private_jwk, sealed } = await sealedKey();
  const { plaintext, protectedHeader } = await compactDecrypt(sealed, contentKey(FIRST));
  expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256GCM', kid });
  expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(private_jwk);
  const made = await new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
    .encrypt(contentKey(FIRST));
  expect(await createKeySealing([FIRST]).open(kid, made)).toEqual({ jwk: private_jwk, isCurrent: true });
});

test('a row that was given the key of another does not open', async () => {
  const [one, other] = [await sealedKey(), await sealedKey()];
  const { open } = createKeySealing([FIRST]);
  expect(await open(one.kid, other.sealed)).toBeUndefined();
  const header = one.sealed.split('.', 1)[0] ?? '';
  expect(await open(one.kid, other.sealed.replace(/^[^.]+/, header))).toBeUndefined();
});

test('no text that differs by one character opens', async () => {
  const { kid, sealed } = await sealedKey();
  const { open } = createKeySealing([FIRST]);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    expect(await open(kid, changed), String(at)).toBeUndefined();
  }
  for (const text of ['', '.', '....', 'a.b.c.d.e', sealed.slice(0, -3)])
    expect(await open(kid, text)).toBeUndefined();
});
