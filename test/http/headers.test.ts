import { describe, expect, test } from 'vitest';
import { expectProblem, issue, makeKey, PASSPORT, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';

const LOGIN = { email: 'owner@example.com', password: 'wrong' };

describe('X-Request-ID', () => {
  test.each(['a', '!~', 'a'.repeat(128), '{"a":1}', 'a,b'])('%j is echoed', async (id) => {
    const { api } = await openStage();
    const headers = { 'x-request-id': id };
    expect((await api.ask('GET', '/health/live', { headers })).headers.get('x-request-id')).toBe(id);
    const problem = await api.ask('POST', '/auth/login', { headers, json: LOGIN });
    expect(problem.body['request_id']).toBe(id);
    const nowhere = await api.ask('GET', '/nowhere', { headers });
    expect(nowhere.body['request_id']).toBe(id);
  });

  test.each(['', 'a b', 'a'.repeat(129), 'ä', 'a\tb'])('%j is replaced', async (id) => {
    const { api } = await openStage();
    const answer = await api.ask('GET', '/health/live', { headers: { 'x-request-id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{26}$/);
  });

  test('is made anew for every answer', async () => {
    const { api } = await openStage();
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () =>
        (await api.ask('GET', '/health/live')).headers.get('x-request-id'),
      ),
    );
    expect(new Set(ids).size).toBe(50);
  });
});

describe('a body', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; profile="https://example.com/p;q"',
    'application/json;odata.metadata=minimal; charset=utf-8',
    'application/json; v=1;',
  ])('of type %s is read', async (type) => {
    const { api, token } = await openStage();
    expect((await api.ask('POST', '/passports', { token, json: PASSPORT, type })).status).toBe(201);
  });

  test.each([
    null,
    '',
    'json',
    'text/json',
    'text/plain',
    'application/jsonp',
    'application/json+x',
    'application/ld+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; v=1; charset="utf-16"',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; profile="open',
    'application/json; =1',
    'application/json, text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/merge-patch+json',
  ])('of type %s is refused, and nothing is stored', async (type) => {
    const { token, refused } = await openStage();
    await refused('POST', '/passports', { token, json: PASSPORT, type }, 415, 'unsupported_media_type');
  });

  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x'])(
    'encoded as %s is refused',
    async (encoding) => {
      const { token, refused } = await openStage();
      const headers = { 'content-encoding': encoding };
      await refused('POST', '/passports', { token, json: PASSPORT, headers }, 415, 'unsupported_media_type');
    },
  );

  test('of a merge patch may be application/merge-patch+json', async () => {
    const { api, token } = await openStage();
    const agent = await issue(api, token);
    for (const type of ['application/merge-patch+json', 'application/json']) {
      const answer = await api.ask('PATCH', `/passports/${agent}`, {
        token,
        json: { description: type },
        type,
      });
      expect(answer.body['description']).toBe(type);
    }
  });

  test('is not asked for where none is taken', async () => {
    const { api, token } = await openStage();
    const { id } = await makeKey(api, token);
    const plain = { body: 'x', type: 'text/plain' };
    expect((await api.ask('DELETE', `/keys/${id}`, { token, ...plain })).status).toBe(204);
    expectProblem(await api.ask('POST', '/auth/logout', { token, ...plain }), 415, 'unsupported_media_type');
  });
});

describe('credentials', () => {
  test.each(['/revoke', '/suspend', '/reinstate'])('both at once on %s are refused', async (path) => {
    const { api, token, refused } = await openStage();
    const json = { agent_id: await issue(api, token) };
    const { key } = await makeKey(api, token, { scopes: ['revoke', 'reinstate'] });
    await refused('POST', path, { token, key, json }, 400, 'invalid_request');
    await refused('POST', path, { token: 'bad', key, json }, 400, 'invalid_request');
    await refused('POST', path, { token, key: 'bad', json }, 400, 'invalid_request');
  });

  test('of the other kind are not looked at where only one kind is taken', async () => {
    const { api, token } = await openStage();
    const json = { agent_id: await issue(api, token), action: 'orders.get' };
    const { key } = await makeKey(api, token);
    expect((await api.ask('POST', '/verify', { token, key, json })).status).toBe(200);
    expect((await api.ask('GET', '/keys', { token, key })).status).toBe(200);
  });

  test('two X-API-Key headers are refused, also the same one twice and also joined', async () => {
    const { api, token } = await openStage();
    const body = JSON.stringify({ agent_id: await issue(api, token), action: 'orders.get' });
    const { key } = await makeKey(api, token);
    const type = ['Content-Type', 'application/json'];
    for (const path of ['/verify', '/revoke', '/verify/batch']) {
      const twice = await api.askRaw('POST', path, ['X-API-Key', key, 'x-api-key', key, ...type], body);
      expectProblem(twice, 400, 'invalid_request');
      const joined = await api.askRaw('POST', path, ['X-API-Key', `${key}, ${key}`, ...type], body);
      expectProblem(joined, 400, 'invalid_request');
    }
    const once = await api.askRaw('POST', '/verify', ['X-API-Key', key, ...type], body);
    expect(once.body['verdict']).toBe('ALLOW');
  });

  test('two Authorization headers are refused', async () => {
    const { api, token } = await openStage();
    const twice = ['Authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`];
    expectProblem(await api.askRaw('GET', '/keys', twice), 400, 'invalid_request');
    expectProblem(await api.askRaw('DELETE', '/keys/x', twice), 400, 'invalid_request');
    const joined = await api.askRaw('GET', '/keys', ['Authorization', `Bearer ${token}, Bearer ${token}`]);
    expectProblem(joined, 400, 'invalid_request');
  });

  test.each(['Bearer', 'bearer', 'BEARER'])('the scheme %s is taken', async (scheme) => {
    const { api, token } = await openStage();
    const headers = { authorization: `${scheme} ${token}` };
    expect((await api.ask('GET', '/keys', { headers })).status).toBe(200);
  });

  test.each([
    ['', ''],
    ['Basic ', ''],
    ['Bearer', ''],
    ['Token ', ''],
    ['Bearer "', '"'],
    ['Bearer x', ''],
    ['Bearer ', ' x'],
    ['Bearer Bearer ', ''],
    ['Bearer ', '='],
  ])('%j before and %j behind a token make it none', async (before, behind) => {
    const { api, token } = await openStage();
    const headers = { authorization: `${before}${token}${behind}` };
    expectProblem(await api.ask('GET', '/keys', { headers }), 401, 'unauthenticated');
  });

  test('in the query are no credentials', async () => {
    const { api, token } = await openStage();
    const { key } = await makeKey(api, token);
    for (const query of [`access_token=${token}`, `api_key=${key}`, `x-api-key=${key}`]) {
      expect((await api.ask('GET', `/keys?${query}`)).status).toBe(401);
    }
  });
});

describe('methods', () => {
  test.each(['/passports', '/keys', '/account', '/health/live', '/health/ready', '/openapi.json'])(
    'HEAD %s answers as GET without a body',
    async (path) => {
      const { api, token } = await openStage();
      const [get, head] = [await api.ask('GET', path, { token }), await api.ask('HEAD', path, { token })];
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    },
  );

  test('HEAD of a passport has its ETag', async () => {
    const { api, token } = await openStage();
    const agent = await issue(api, token);
    const head = await api.ask('HEAD', `/passports/${agent}`, { token });
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, '"1"', '']);
    expect((await api.ask('HEAD', `/passports/${agent}x`, { token })).status).toBe(404);
    expect((await api.ask('HEAD', `/passports/${agent}`)).status).toBe(401);
  });

  test.each([
    ['PUT', '/passports', 'GET, HEAD, POST'],
    ['OPTIONS', '/verify', 'POST'],
    ['GET', '/verify', 'POST'],
    ['HEAD', '/verify', 'POST'],
    ['PUT', '/passports/a', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/keys/a', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/keys/a/rotate', 'POST'],
    ['POST', '/passports/a/versions', 'GET, HEAD'],
    ['GET', '/auth/password', 'POST'],
    ['PATCH', '/account', 'DELETE, GET, HEAD'],
    ['get', '/health/live', undefined],
    ['BREW', '/health/live', 'GET, HEAD'],
  ])('%s %s is answered with what the path takes: %s', async (method, path, allow) => {
    const { api } = await openStage();
    const answer = await api.ask(method, path);
    expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow);
    expect(answer.status).toBe(allow === undefined ? 200 : 405);
  });

  test.each([
    '',
    '/',
    '/verify/',
    '//verify',
    '/Verify',
    '/verify/batch/',
    '/passports/',
    '/keys//',
    '/passports/a/b',
  ])('there is nothing at %j', async (path) => {
    const { api } = await openStage();
    expectProblem(await api.ask('POST', path, { json: {} }), 404, 'not_found');
  });
});

test('a 401 names both schemes, and no answer names its software', async () => {
  const { api } = await openStage();
  const answer = await api.ask('GET', '/keys');
  expect(answer.headers.get('www-authenticate')).toBe(
    'Bearer realm="agent-identity", ApiKey realm="agent-identity"',
  );
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('x-powered-by')).toBeNull();
  expect(text(answer, 'type')).toBe('/reference#unauthenticated');
});

test.each([
  ['PATCH', 'if-match', '*', '"9"', 400],
  ['PATCH', 'if-match', '"9"', '"1"', 200],
  ['PATCH', 'if-match', '"9"', '"8"', 412],
  ['PATCH', 'content-type', 'application/json', 'text/plain', 415],
  ['PATCH', 'content-encoding', 'identity', 'gzip', 415],
  ['GET', 'accept', 'application/json', 'text/plain', 200],
])('%s with two headers %s is answered as with both in one', async (method, name, first, second, status) => {
  const { api, token } = await openStage();
  const path = `/passports/${await issue(api, token)}`;
  const always = ['authorization', `Bearer ${token}`, 'x-request-id', 'a', 'X-Request-ID', 'b'];
  if (name !== 'content-type') always.push('content-type', 'application/json');
  const ask = (headers: readonly string[]) =>
    api.askRaw(method, path, [...always, ...headers], method === 'GET' ? undefined : '{}');
  const twice = await ask([name, first, name.toUpperCase(), second]);
  const joined = await ask([name, `${first}, ${second}`]);
  expect([twice.status, joined.status]).toEqual([status, status]);
  expect(twice.headers.get('x-request-id')).toMatch(/^req_/);
});
