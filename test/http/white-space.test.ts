import express from 'express';
import { describe, expect, test } from 'vitest';
import { identityRouter } from '../../adapters/express/index.ts';
import { clientAddress } from '../../src/http/client-address.ts';
import { nodeListener } from '../../src/http/index.ts';
import { addressBucket } from '../../src/people/address-bucket.ts';
import { expectProblem } from '../support/api.ts';
import { exchange, listen } from '../support/servers.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

/** What `trim` and `\s` take for white space and RFC 9110 section 5.6.3 does not. */
const OTHER_SPACES = [
  '\u00a0',
  '\v',
  '\f',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u202f',
  '\u205f',
  '\u3000',
  '\ufeff',
];

/** Around a value, as bytes that Node lets through. */
const BYTES = ['\u00a0', '\u00a0 ', '\t\u00a0', '\u0085'];

async function openFaces() {
  const stage = await openVerdictStage();
  const { service } = stage.opened;
  const origins = [
    await listen(nodeListener(service)),
    await listen(express().use('/api', identityRouter(service))),
  ];
  /** The statuses that both servers answer; one byte per unit of the text. */
  const statuses = (method: string, path: string, headers: readonly string[], body = '') =>
    Promise.all(
      origins.map(async (origin) => {
        const head = [`${method} /api${path} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers];
        const text = `${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
        const answer = await exchange(origin, Buffer.from(text, 'latin1'));
        return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
      }),
    );
  return { ...stage, statuses };
}

describe('a byte beside a credential is a part of it', () => {
  test('of an access token', async () => {
    const { token, statuses } = await openFaces();
    expect(await statuses('GET', '/keys', [`authorization: Bearer  ${token}\t `])).toEqual([200, 200]);
    for (const byte of BYTES) {
      for (const value of [`Bearer ${token}${byte}`, `Bearer ${byte}${token}`, `${byte}Bearer ${token}`]) {
        expect(await statuses('GET', '/keys', [`authorization: ${value}`])).toEqual([401, 401]);
      }
    }
  });

  test('of an API key', async () => {
    const { key, statuses } = await openFaces();
    const body = JSON.stringify({ agent_id: AGENT, action: 'orders.get' });
    const type = 'content-type: application/json';
    expect(await statuses('POST', '/verify', [`x-api-key: \t${key} `, type], body)).toEqual([200, 200]);
    for (const byte of BYTES) {
      for (const value of [`${key}${byte}`, `${byte}${key}`]) {
        expect(await statuses('POST', '/verify', [`x-api-key: ${value}`, type], body)).toEqual([401, 401]);
      }
    }
  });

  test('also if an application passes on text that no server would', async () => {
    const { api, token } = await openFaces();
    for (const space of OTHER_SPACES) {
      for (const value of [`Bearer ${token}${space}`, `Bearer ${space}${token}`, `Bearer${space}${token}`]) {
        expectProblem(await api.askRaw('GET', '/keys', ['authorization', value]), 401, 'unauthenticated');
      }
    }
  });
});

test('a condition with another space is no condition, and refused', async () => {
  const { token, statuses, api } = await openFaces();
  const headers = [`authorization: Bearer ${token}`, 'content-type: application/json'];
  const patch = (condition: string) =>
    statuses('PATCH', `/passports/${AGENT}`, [...headers, `if-match: ${condition}`], '{"description":"x"}');
  for (const condition of ['\u00a0*', '*\u00a0', '"1"\u00a0', '"9",\u00a0"1"']) {
    expect(await patch(condition)).toEqual([400, 400]);
  }
  const passport = await api.ask('GET', `/passports/${AGENT}`, { token });
  expect(passport.body['version']).toBe(1);
  expect(await patch('"9",\t "1", "2"')).toEqual([200, 200]);
});

test('a media type with another space is another type', async () => {
  const { key, statuses, api, token } = await openFaces();
  const body = JSON.stringify({ agent_id: AGENT, action: 'orders.get' });
  const verify = (type: string) =>
    statuses('POST', '/verify', [`x-api-key: ${key}`, `content-type: ${type}`], body);
  expect(await verify('application/json \t;\tcharset=utf-8')).toEqual([200, 200]);
  for (const type of [
    'application/json\u00a0',
    'application/json;\u00a0charset=utf-8',
    '\u00a0application/json',
  ]) {
    expect(await verify(type)).toEqual([415, 415]);
  }
  const list = (accept: string) =>
    api.askRaw('GET', '/verifications', ['authorization', `Bearer ${token}`, 'accept', accept]);
  expect((await list('\u00a0text/csv')).headers.get('content-type')).toBe('application/json');
  for (const refused of ['text/csv;q=0', 'application/json, text/csv ; charset=utf-8;\tQ=0.000 ']) {
    expect((await list(refused)).headers.get('content-type')).toBe('application/json');
  }
});

test.each(OTHER_SPACES)('an address with %j is not known, and no other client', (space) => {
  const address = '203.0.113.7';
  for (const given of [`${space}${address}`, `${address}${space}`]) {
    expect(addressBucket(given)).toBe('unknown');
    expect(clientAddress('9.9.9.9', ['x-forwarded-for', `1.1.1.1, ${given}`], 1)).toBe(given);
  }
  expect(addressBucket(` \t${address}\t `)).toBe(address);
  expect(clientAddress('9.9.9.9', ['x-forwarded-for', `1.1.1.1,\t ${address} `], 1)).toBe(address);
});
