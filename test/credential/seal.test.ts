import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeal } from '../../src/credential/seal.ts';

const secret = new TextEncoder().encode('Jb0nX2vQ-kR7pT_w9zL4mC6dF1gH8sYa');
const seal = createSeal(secret);

test('what was sealed for a purpose is opened for it, by every holder of the secret', () => {
  for (const content of ['', 'a', '{"at":"2026-11-20"}', 'äöü\u{1f600}', '???>>>', '~~~~~']) {
    const sealed = seal.close('page', content);
    expect(sealed).toMatch(/^[\w-]*\.[\w-]{22}$/);
    expect(seal.open('page', sealed)).toBe(content);
    expect(createSeal(secret).open('page', sealed)).toBe(content);
  }
});

test('a sealed text is its content and 16 bytes of HMAC over purpose and content', () => {
  const key = createHmac('sha256', secret).update('agent-identity-service seal').digest();
  const payload = Buffer.from('>>>???').toString('base64url');
  const tag = createHmac('sha256', key).update(`page\n${payload}`).digest().subarray(0, 16);
  expect(createSeal(secret).close('page', '>>>???')).toBe(`${payload}.${tag.toString('base64url')}`);
});

test('a hint is the start of the HMAC over purpose and content', () => {
  const key = createHmac('sha256', secret).update('agent-identity-service seal').digest();
  const tag = createHmac('sha256', key).update('login\nada').digest('base64url');
  expect(createSeal(secret).hint('login', 'ada')).toBe(tag.slice(0, 12));
  expect(seal.hint('login', 'bob')).not.toBe(tag.slice(0, 12));
});

test('what was closed with a previous secret is opened, and closed with the present one', () => {
  const previous = new TextEncoder().encode('the secret that was in use before it was changed');
  const both = createSeal(secret, previous);
  expect(both.open('page', createSeal(previous).close('page', 'before'))).toBe('before');
  expect(both.open('page', seal.close('page', 'now'))).toBe('now');
  expect(seal.open('page', both.close('page', 'now'))).toBe('now');
});

test('no other text is opened', () => {
  const sealed = seal.close('page', 'content');
  const [payload = '', tag = ''] = sealed.split('.');
  const others = [
    '',
    '.',
    payload,
    tag,
    `${payload}${tag}`,
    `.${tag}`,
    `${payload}.`,
    `${sealed}.`,
    `x${sealed}`,
    `${sealed}x`,
    `${payload}x.${tag}`,
    `${seal.close('page', 'other').split('.')[0]}.${tag}`,
  ];
  for (const other of others) expect(seal.open('page', other)).toBeUndefined();
  expect(seal.open('other', sealed)).toBeUndefined();
  expect(createSeal(secret.slice(1)).open('page', sealed)).toBeUndefined();
});
