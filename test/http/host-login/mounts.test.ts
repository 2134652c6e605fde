import { describe, expect, test } from 'vitest';
import { endpoints, ROLES } from '../../../src/http/index.ts';
import type { HostLogin, Role } from '../../../src/records.ts';
import { makeKey, openApi, PASSPORT, signIn } from '../../support/api.ts';
import { ANN, hosted } from '../../support/host.ts';
import { openLocalService, openService } from '../../support/service.ts';
import { dump } from '../../support/storage-probe.ts';
import { bodiesAbout } from '../isolation-bodies.ts';

describe('where the application lends its login', () => {
  test('the hook is asked once, after path and method and before the body, and only where a token was taken', async () => {
    const opened = openLocalService();
    let asked = 0;
    const call = hosted(opened, () => {
      asked += 1;
      return asked > 4 ? null : ANN;
    });
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['PUT', '/account'],
      ['GET', '/openapi.json'],
      ['POST', '/verify'],
    ])
      await call(method ?? '', path ?? '');
    expect(asked).toBe(0);
    expect((await call('POST', '/passports', { body: '{' })).body['code']).toBe('invalid_json');
    expect(asked).toBe(1);
    await call('GET', '/account');
    expect(asked).toBe(2);
    asked = 4;
    expect((await call('POST', '/passports', { body: '{' })).body['code']).toBe('unauthenticated');
  });

  test('a key counts before the login where a key is accepted, and beside it elsewhere', async () => {
    const opened = openService();
    const { token } = await signIn(opened, openApi(opened));
    const { key } = await makeKey(openApi(opened), token, { scopes: ['verify'] });
    let asked = 0;
    const call = hosted(opened, () => {
      asked += 1;
      return ANN;
    });
    const foreign = { origin: 'https://evil.example', host: 'id.example' };
    // A browser sends no key by itself: other sites do not matter.
    const refused = await call('POST', '/revoke', { key, headers: foreign, json: { agent_id: 'x' } });
    expect(refused.body['code']).toBe('insufficient_scope');
    expect((await call('GET', '/approvals/apr_1', { key })).status).toBe(404);
    expect((await call('GET', '/approvals/apr_1', { key: 'ais_live_wrong' })).status).toBe(401);
    expect(asked).toBe(0);
    expect((await call('GET', '/account', { key })).status).toBe(200);
    expect(asked).toBe(1);
  });

  test('no token of ours is read, and an Authorization of the application is no error', async () => {
    const opened = openService();
    const { token, account_id } = await signIn(opened, openApi(opened));
    let login: HostLogin | null = null;
    const call = hosted(opened, () => login);
    expect((await call('GET', '/account', { token })).status).toBe(401);
    login = ANN;
    const answer = await call('GET', '/account', { token });
    expect(answer.status).toBe(200);
    expect(answer.body['id']).not.toBe(account_id);
  });

  test('what belongs to own logins is 404, and is not described; a mount beside it has all of it', async () => {
    const opened = openService({ registration: 'open' });
    const call = hosted(opened, () => ANN);
    const own = endpoints.filter(({ ownLogin }) => ownLogin === true);
    const isOwn = (method: string, path: string) =>
      path.startsWith('/auth/') || (path.startsWith('/members') && method !== 'GET');
    const named = endpoints.filter(
      ({ method, path }) => isOwn(method, path) || `${method} ${path}` === 'DELETE /account',
    );
    expect(own).toEqual(named);
    expect(own.length).toBeGreaterThan(10);
    const paths = Object((await call('GET', '/openapi.json')).body['paths']);
    for (const { method, path } of own) {
      const answer = await call(method, path, { json: bodiesAbout('')[`${method} ${path}`] ?? {} });
      expect({ path, ...answer }).toMatchObject({ path, status: 404, body: { code: 'not_found' } });
      expect(Object.keys(Object(paths[path]))).not.toContain(method.toLowerCase());
    }
    expect(Object.keys(paths)).toContain('/account');
    const beside = openApi(opened);
    const { token } = await signIn(opened, beside);
    expect((await beside.ask('GET', '/account', { token })).status).toBe(200);
  });

  test('every endpoint that takes a token lets exactly the roles of its column in', async () => {
    const opened = openService();
    let role: Role = 'viewer';
    const call = hosted(opened, () => ({ ...ANN, role }));
    const bodies = bodiesAbout('did:web:empty.example:agents:shopper');
    await call('GET', '/account');
    for (role of ROLES) {
      for (const one of endpoints) {
        if (one.role === undefined || one.ownLogin === true || one.needs?.(opened.service, true) === false)
          continue;
        const json = bodies[`${one.method} ${one.path}`];
        const { body } = await call(one.method, one.path.replaceAll(/[{}]/g, ''), { json });
        const cell = { role, method: one.method, path: one.path };
        const isIn = one.role.includes(role);
        expect({ ...cell, isIn: body['code'] !== 'insufficient_role' }).toEqual({ ...cell, isIn });
      }
    }
  });
});

describe('a page of another site', () => {
  const unsafe = endpoints.filter(({ role, method, ownLogin }) => role && method !== 'GET' && !ownLogin);

  test('changes nothing at any endpoint, and the application is not asked', async () => {
    const opened = openService();
    let asked = 0;
    const call = hosted(opened, () => {
      asked += 1;
      return ANN;
    });
    const before = await dump(opened.storage);
    for (const { method, path, needs } of unsafe) {
      if (needs?.(opened.service, true) === false) continue;
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'https://blog.id.example' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        // No body and no media type: a page sends this without asking the server first.
        const answer = await call(method, path.replaceAll(/[{}]/g, ''), { headers, type: null });
        expect({ path, ...answer }).toMatchObject({ path, status: 403, body: { code: 'cross_origin' } });
      }
    }
    expect(unsafe.length).toBeGreaterThan(20);
    expect(asked).toBe(0);
    expect(await dump(opened.storage)).toBe(before);
  });

  test('may read what it is shown, and act where the application trusts it', async () => {
    const call = hosted(openLocalService(), () => ANN, ['https://console.example']);
    const cross = { 'sec-fetch-site': 'cross-site' };
    expect((await call('GET', '/account', { headers: cross })).status).toBe(200);
    const trusted = { ...cross, origin: 'https://console.example' };
    expect((await call('POST', '/passports', { headers: trusted, json: PASSPORT })).status).toBe(201);
  });

  test('is refused by the own origin of Fetch requests without Host', async () => {
    const call = hosted(openLocalService(), () => ANN);
    const own = { origin: 'http://127.0.0.1' };
    expect((await call('POST', '/passports', { headers: own, json: PASSPORT })).status).toBe(201);
    const other = { origin: 'http://127.0.0.2' };
    expect((await call('POST', '/passports', { headers: other, json: PASSPORT })).status).toBe(403);
  });

  test('does not matter to a mount with tokens', async () => {
    const opened = openService();
    const api = openApi(opened);
    const { token } = await signIn(opened, api);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await api.ask('POST', '/passports', { token, headers, json: PASSPORT })).status).toBe(201);
  });
});
