import { request as ask, type IncomingMessage } from 'node:http';
import express, { type Request as ExpressRequest } from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { identityRouter } from '../../../adapters/express/index.ts';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { fetchHandler, nodeListener } from '../../../src/http/index.ts';
import { createIdentityService } from '../../../src/index.ts';
import { PASSPORT } from '../../support/api.ts';
import { ANN } from '../../support/host.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { listen, listenExpress } from '../../support/servers.ts';
import { openLocalService } from '../../support/service.ts';

describe('each binding', () => {
  test('of Express gives the request with what the application put there', async () => {
    const { service } = openLocalService();
    const signedIn = (request: ExpressRequest, _: unknown, next: () => void) => {
      if (request.get('cookie') === 'sid=1') Object.assign(request, { user: { id: 'user-1', org: 'org-1' } });
      next();
    };
    const origin = await listenExpress((app) => {
      app.use(signedIn);
      app.use(
        '/api',
        identityRouter(service, {
          authenticate: ({ user }: ExpressRequest & { user?: { id: string; org: string } }) =>
            user && { account: user.org, member: user.id, role: 'owner' },
        }),
      );
      app.use(express.json());
    });
    const post = (headers: Record<string, string>) =>
      fetch(`${origin}/api/passports`, {
        ...{ method: 'POST', body: JSON.stringify(PASSPORT) },
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await post({})).status).toBe(401);
    expect((await post({ cookie: 'sid=1', origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ cookie: 'sid=1', origin })).status).toBe(201);
    expect((await fetch(`${origin}/api/auth/login`, { method: 'POST' })).status).toBe(404);
  });

  test('of node:http gives the request of Node, and sees a header that came twice', async () => {
    const { service } = openLocalService();
    const origin = await listen(
      nodeListener(service, {
        authenticate: ({ headers }: IncomingMessage) => (headers.cookie === 'sid=1' ? ANN : null),
      }),
    );
    const status = (headers: Record<string, string | string[]>) =>
      new Promise<number | undefined>((resolve, reject) => {
        ask(`${origin}/api/reinstate`, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await status({})).toBe(401);
    expect(await status({ cookie: 'sid=1', 'sec-fetch-site': ['same-origin', 'same-origin'] })).toBe(403);
    expect(await status({ cookie: 'sid=1', 'sec-fetch-site': 'same-origin' })).not.toBe(403);
  });

  test.each(['origin', 'sec-fetch-site'])(
    'refuses %s that came twice, before the hook is asked',
    async (name) => {
      const { service } = openLocalService();
      let asked = 0;
      const authenticate = () => {
        asked += 1;
        return ANN;
      };
      const trustedOrigins = ['https://console.example'];
      const options = { authenticate, trustedOrigins };
      const value = name === 'origin' ? 'https://console.example' : 'same-origin';
      const origins = [
        await listen(nodeListener(service, options)),
        await listenExpress((app) => app.use('/api', identityRouter(service, options))),
      ];
      const handle = fetchHandler(service, options);
      const overFetch = async (values: readonly string[]) => {
        const headers = new Headers();
        for (const one of values) headers.append(name, one);
        const { status } = await handle(
          new Request('http://localhost/api/reinstate', { method: 'POST', headers }),
        );
        return status;
      };
      const post = (origin: string, values: readonly string[]) =>
        new Promise<number | undefined>((resolve, reject) => {
          ask(`${origin}/api/reinstate`, { method: 'POST', headers: { [name]: [...values] } }, (response) => {
            response.resume();
            resolve(response.statusCode);
          })
            .on('error', reject)
            .end();
        });
      const all = async (values: readonly string[]) =>
        Promise.all([overFetch(values), ...origins.map((origin) => post(origin, values))]);
      expect(await all([value, value])).toEqual([403, 403, 403]);
      expect(asked).toBe(0);
      // Sent once it is heard, and answered as a request without a body.
      expect(await all([value])).toEqual([415, 415, 415]);
      expect(asked).toBe(3);
    },
  );

  test('refuses a hook that is no function, origins that are none, and a service without people()', () => {
    const { service } = openLocalService();
    const wrong = { authenticate: true } as never;
    const makers: readonly ((options: never) => unknown)[] = [
      (options) => identityRouter(service, options),
      (options) => nodeListener(service, options),
      (options) => fetchHandler(service, options),
    ];
    for (const make of makers) {
      expect(() => make(wrong)).toThrow('authenticate must be a function');
      expect(() => make({ trustedOrigins: ['*'] } as never)).toThrow('trustedOrigins must hold origins');
    }
    const bare = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
    onTestFinished(() => bare.close());
    const authenticate = () => ANN;
    const onBare: readonly (() => unknown)[] = [
      () => identityRouter(bare, { authenticate }),
      () => nodeListener(bare, { authenticate }),
      () => fetchHandler(bare, { authenticate }),
    ];
    for (const make of onBare) expect(make).toThrow('authenticate needs people()');
  });
});
