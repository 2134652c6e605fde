import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openidProvider } from '../../adapters/oidc/index.ts';
import { awaitedAfter } from '../../src/core/shared/timers.ts';
import { createSeal } from '../../src/credential/seal.ts';
import type { OidcClaims, OidcProvider } from '../../src/ports/index.ts';
import { type Issuer, PERSON, startIssuer } from '../support/oidc-issuer.mjs';
import { type Steps, stepsWith } from './stage.ts';

const SECRET = new TextEncoder().encode('the secret that all nodes of a service share');

/** One node of a service. */
function node(nowMs = () => 0, change: Partial<Issuer> = {}): Steps<OidcClaims> {
  const { browse: _, close: __, ...options } = { ...issuer, ...change };
  const parts = { seal: createSeal(SECRET), clock: { now: nowMs }, awaitedAfter };
  return stepsWith(parts, openidProvider(options));
}

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

const REFUSED = { code: 'invalid_credentials' };

describe('a sign-in at a real issuer', () => {
  test('begins on one node and ends on another', async () => {
    const { url, transaction } = await node().start();
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile' },
      ...{ client_id: issuer.clientId, redirect_uri: issuer.redirectUri },
    });
    const response = await issuer.browse(url);
    const claims = await node().finish({ transaction, response });
    expect(claims).toMatchObject({ iss: issuer.issuer, sub: PERSON, email: 'ann@example.com' });
  });

  test('gives a code once', async () => {
    const steps = node();
    const { url, transaction } = await steps.start();
    const response = await issuer.browse(url);
    await steps.finish({ transaction, response });
    await expect(steps.finish({ transaction, response })).rejects.toMatchObject(REFUSED);
  });

  test('takes no answer of another transaction', async () => {
    const steps = node();
    const [mine, theirs] = [await steps.start(), await steps.start()];
    const response = await issuer.browse(theirs.url);
    await expect(steps.finish({ transaction: mine.transaction, response })).rejects.toMatchObject(REFUSED);
    // The state of the address can be changed by the one who made it.
    const state = new URL(mine.url).searchParams.get('state') ?? '';
    const forged = changed(response, { state });
    await expect(steps.finish({ transaction: mine.transaction, response: forged })).rejects.toMatchObject(
      REFUSED,
    );
  });

  test.each<[claim: string, change: (query: URLSearchParams) => void]>([
    ['a wrong state', (query) => query.set('state', 'another')],
    ['no state', (query) => query.delete('state')],
    ['a wrong issuer', (query) => query.set('iss', 'https://evil.example')],
    ['no issuer', (query) => query.delete('iss')],
    ['a doubled code', (query) => query.append('code', query.get('code') ?? '')],
    ['no code', (query) => query.delete('code')],
    ['an error', (query) => query.append('error', 'access_denied')],
    [
      'an error alone',
      (query) => {
        query.delete('code');
        query.set('error', 'access_denied');
      },
    ],
  ])('refuses an answer with %s', async (_, change) => {
    const steps = node();
    const { url, transaction } = await steps.start();
    const query = new URLSearchParams(await issuer.browse(url));
    change(query);
    await expect(steps.finish({ transaction, response: `${query}` })).rejects.toMatchObject(REFUSED);
  });

  test('is over after ten minutes', async () => {
    let nowMs = 1_000;
    const steps = node(() => nowMs);
    const { url, transaction } = await steps.start();
    const response = await issuer.browse(url);
    nowMs += 600_000;
    await expect(steps.finish({ transaction, response })).rejects.toMatchObject(REFUSED);
    nowMs -= 1;
    expect((await steps.finish({ transaction, response })).sub).toBe(PERSON);
  });

  test('takes a transaction only as it was given', async () => {
    const steps = node();
    const { url, transaction } = await steps.start();
    const response = await issuer.browse(url);
    const [payload = '', tag = ''] = transaction.split('.');
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string];
    const later = Buffer.from(JSON.stringify([content[0] + 1, content[1]])).toString('base64url');
    const ofAnotherService = createSeal(new TextEncoder().encode('another secret')).close('x', 'y');
    for (const wrong of [`${later}.${tag}`, payload, '', '.', ofAnotherService]) {
      await expect(steps.finish({ transaction: wrong, response })).rejects.toMatchObject(REFUSED);
    }
    expect((await steps.finish({ transaction, response })).sub).toBe(PERSON);
  });

  test('needs the secret of the service', async () => {
    const steps = node(() => 0, { clientSecret: 'x'.repeat(43) });
    const { url, transaction } = await steps.start();
    const response = await issuer.browse(url);
    await expect(steps.finish({ transaction, response })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('client id'),
    });
  });
});

function changed(response: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(response);
  for (const [name, value] of Object.entries(fields)) query.set(name, value);
  return `${query}`;
}

describe('the steps bound what they take', () => {
  const steps = stepsWith(
    { seal: createSeal(SECRET), clock: { now: () => 0 }, awaitedAfter },
    {
      start: async () => ({ url: 'https://login.example', transaction: 't' }),
      finish: async () => ({ iss: 'https://login.example', sub: 's' }),
    },
  );

  test('a response of 8 KiB, and no byte more', async () => {
    const { transaction } = await steps.start();
    const response = 'é'.repeat(4 * 1024);
    expect((await steps.finish({ transaction, response })).sub).toBe('s');
    await expect(steps.finish({ transaction, response: `${response}a` })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '/response', code: 'too_long' }] },
    });
  });

  test('a cursor is no transaction', async () => {
    const cursor = createSeal(SECRET).close('["members"]', JSON.stringify([600_000, 't']));
    await expect(steps.finish({ transaction: cursor, response: '' })).rejects.toMatchObject(REFUSED);
  });

  test.each<[claims: unknown]>([
    [null],
    [{}],
    [{ iss: 'i' }],
    [{ iss: 'i', sub: '' }],
    [{ iss: 1, sub: 's' }],
    [7],
  ])('claims such as %j name no person', async (claims) => {
    const provider = { start: async () => ({ url: '', transaction: 't' }), finish: async () => claims };
    const parts = { seal: createSeal(SECRET), clock: { now: () => 0 }, awaitedAfter };
    const broken = stepsWith(parts, provider as OidcProvider);
    const { transaction } = await broken.start();
    await expect(broken.finish({ transaction, response: '' })).rejects.toMatchObject(REFUSED);
  });
});
