import { describe, expect, test } from 'vitest';
import { endpoints, fetchHandler, nodeListener } from '../../src/http/index.ts';
import type { OidcProvider } from '../../src/types.ts';
import { listen } from '../support/servers.ts';
import { openService } from '../support/service.ts';

/** An issuer that is never asked. */
const ask = () => Promise.reject(new Error('The issuer was asked.'));
const provider: OidcProvider = { start: ask, finish: ask };

describe('a path of the API without its prefix', () => {
  test.each(endpoints)('$method $path is a problem that names the right one', async ({ method, path }) => {
    const { service } = openService({
      registration: 'open',
      authzen: {},
      oidc: { provider },
      accessTokens: {},
    });
    const origin = await listen(nodeListener(service));
    const asked = path.replaceAll(/\{\w+\}/g, 'secret');
    const body = method === 'GET' ? {} : { body: '{}' };
    const handle = fetchHandler(service);
    for (const answer of [
      await fetch(`${origin}${asked}?secret=1`, { method, ...body }),
      await handle(new Request(`${origin}${asked}?secret=1`, { method, ...body })),
    ]) {
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toMatchObject({
        status: 404,
        code: 'not_found',
        detail: `There is nothing at this path. The API is below /api: this one is /api${path}.`,
      });
    }
  });

  test('is named with the prefix that the application gave it', async () => {
    const { service } = openService();
    const handle = fetchHandler(service, { basePath: '/identity' });
    const answer = await handle(new Request('http://h/verify', { method: 'POST' }));
    expect(await answer.json()).toMatchObject({
      detail: expect.stringMatching(/ this one is \/identity\/verify\.$/),
    });
  });

  test('is not named where it is not served', async () => {
    const answer = await fetchHandler(openService().service)(new Request('http://h/auth/register'));
    expect(await answer.json()).toMatchObject({ detail: 'There is nothing at this path.' });
  });

  test('any other is not guessed at', async () => {
    const handle = fetchHandler(openService().service);
    for (const path of ['/', '/nowhere', '/api/nowhere', '/verify/', '/keys/a/b']) {
      const answer = await handle(new Request(`http://h${path}`));
      expect(await answer.json()).toMatchObject({ detail: 'There is nothing at this path.' });
    }
  });
});
