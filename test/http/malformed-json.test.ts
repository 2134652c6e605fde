import { describe, expect, test } from 'vitest';
import { expectProblem, issue, makeKey, PASSPORT } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const PASSPORT_TEXT = JSON.stringify(PASSPORT);

/** A passport text with another member before its end. */
const withMember = (member: string) => `${PASSPORT_TEXT.slice(0, -1)},${member}}`;
const withParameters = (value: string) =>
  `{"agent_id":"${AGENT}","action":"orders.get","parameters":${value}}`;
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : part)));
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const listOf = (count: number) => `{"a":[${Array(count).fill(0).join()}]}`;

describe('a body is refused as invalid_json, and nothing is stored:', () => {
  test.each([
    ['nothing at all', ''],
    ['no JSON', '{'],
    ['two values', `${PASSPORT_TEXT}{}`],
    ['a comment', `/**/${PASSPORT_TEXT}`],
    ['a name twice', withMember('"domain":"example.org"')],
    ['a name twice behind an escape', withMember('"d\\u006fmain":"example.org"')],
    ['a name twice deep inside', withMember('"metadata":{"a":"1","a":"2"}')],
    ['a byte-order mark', `\uFEFF${PASSPORT_TEXT}`],
    ['invalid UTF-8', bytes('{"a":"', [0xff], '"}')],
    ['an overlong sequence', bytes('{"a":"', [0xc0, 0xaf], '"}')],
    ['UTF-16', bytes([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ['U+0000', withMember('"description":"a\\u0000b"')],
    ['U+0000 in a name', withMember('"metadata":{"\\u0000":"a"}')],
    ['a raw control character', withMember('"description":"a\tb"')],
    ['a lone surrogate', withMember('"description":"\\ud800"')],
    ['a lone surrogate in a name', withMember('"metadata":{"\\udc00":"a"}')],
    ['the name __proto__', withMember('"__proto__":{"status":"active"}')],
    ['the name __proto__ behind an escape', withMember('"\\u005f_proto__":1')],
    ['more than 32 levels', withMember(`"metadata":${nested(32)}`)],
    ['more than 1,000 members', withMember(`"metadata":${listOf(1_000)}`)],
    ['an inexact number', PASSPORT_TEXT.replace(':100', ':100.000000000000001')],
    ['minus zero', PASSPORT_TEXT.replace(':100', ':-0')],
    ['infinity', PASSPORT_TEXT.replace(':100', ':1e309')],
  ])('%s', async (_, body) => {
    const { token, refused } = await openStage();
    expect(await refused('POST', '/passports', { token, body }, 400, 'invalid_json')).toEqual([]);
  });
});

test('constructor, toString and hasOwnProperty are plain data', async () => {
  const { api, token } = await openStage();
  const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', prototype: 'd' };
  const answer = await api.ask('POST', '/passports', { token, json: { ...PASSPORT, metadata } });
  expect(answer.status).toBe(201);
  expect(answer.body['metadata']).toEqual(metadata);
});

test('an intent may have 32 levels and 1,000 members, and no more', async () => {
  const { api, token } = await openStage();
  await issue(api, token);
  const { key } = await makeKey(api, token);
  const ask = (value: string) => api.ask('POST', '/verify', { key, body: withParameters(value) });
  expect((await ask(nested(31))).body['verdict']).toBe('ALLOW');
  expectProblem(await ask(nested(32)), 400, 'invalid_json');
  expect((await ask(listOf(1_000 - 4))).body['verdict']).toBe('ALLOW');
  expectProblem(await ask(listOf(1_000 - 3)), 400, 'invalid_json');
});

test('a batch may have 10,000 members, and no more', async () => {
  const { api, token } = await openStage();
  await issue(api, token);
  const { key } = await makeKey(api, token);
  const ask = (count: number) => {
    const body = `{"intents":[${withParameters(listOf(count))}]}`;
    return api.ask('POST', '/verify/batch', { key, body });
  };
  expect((await ask(10_000 - 6)).status).toBe(200);
  expectProblem(await ask(10_000 - 5), 400, 'invalid_json');
});

describe('the size of a body', () => {
  const pad = (body: string, length: number) => body + ' '.repeat(length - body.length);

  test('is at most 64 KiB, counted in bytes', async () => {
    const { api, token, refused } = await openStage();
    const most = 64 * 1024;
    await refused(
      'POST',
      '/passports',
      { token, body: pad(PASSPORT_TEXT, most + 1) },
      413,
      'payload_too_large',
    );
    const wide = `{"a":"${'€'.repeat(most / 3)}"}`;
    expect(wide.length).toBeLessThan(most);
    await refused('POST', '/passports', { token, body: wide }, 413, 'payload_too_large');
    expect((await api.ask('POST', '/passports', { token, body: pad(PASSPORT_TEXT, most) })).status).toBe(201);
  });

  test('is at most 1 MiB for a batch', async () => {
    const { api, token, refused } = await openStage();
    await issue(api, token);
    const { key } = await makeKey(api, token);
    const body = `{"intents":[{"agent_id":"${AGENT}","action":"orders.get"}]}`;
    const most = 1024 * 1024;
    expect((await api.ask('POST', '/verify/batch', { key, body: pad(body, most) })).status).toBe(200);
    await refused('POST', '/verify/batch', { key, body: pad(body, most + 1) }, 413, 'payload_too_large');
  });
});
