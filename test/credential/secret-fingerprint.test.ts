import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { fingerprintOf, isFingerprintOf, newSalt } from '../../src/credential/secret-fingerprint.ts';

const SECRET = 'Jb0nX2vQ-kR7pT_w9zL4mC6dF1gH8sYa';

test('a fingerprint is a salt and 16 bytes of HMAC with the secret as the key', () => {
  const tag = createHmac('sha256', SECRET).update('agent-identity-service fingerprint c2FsdA').digest();
  const text = tag.subarray(0, 16).toString('base64').replace(/=+$/, '');
  expect(fingerprintOf(SECRET, 'c2FsdA')).toBe(`c2FsdA.${text}`);
});

test('a secret knows its own fingerprint and no other', () => {
  const fingerprint = fingerprintOf(SECRET, 'c2FsdA');
  expect(isFingerprintOf(SECRET, fingerprint)).toBe(true);
  expect(isFingerprintOf(`${SECRET}!`, fingerprint)).toBe(false);
  for (const other of ['', '.', 'c2FsdA', `${fingerprint}x`, fingerprint.replace('c2', 'd2')]) {
    expect(isFingerprintOf(SECRET, other)).toBe(false);
  }
});

test('a salt is 16 random bytes in base64', () => {
  expect(newSalt({ bytes: (length) => new Uint8Array(length).fill(255) })).toBe(`${'/'.repeat(21)}w`);
});
