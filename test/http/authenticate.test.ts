import { describe, expect, test } from 'vitest';
import { createDeadlines } from '../../src/base/async/deadlines.ts';
import { type IdentityService, tooLate } from '../../src/core.ts';
import { authenticate, readCredential, type Shown } from '../../src/http/authenticate.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import type { Exchange, LentLogin } from '../../src/http/exchange.ts';

type Credential = Endpoint['credential'];

const shown = (credential: Credential, ...rawHeaders: string[]) =>
  readCredential({ credential } as Endpoint, { rawHeaders });
const shownToBearerKeys = (...rawHeaders: string[]) =>
  readCredential({ credential: 'key', bearerKeys: true } as Endpoint, { rawHeaders });

const BEARER = ['Authorization', 'Bearer a.b.c'];
const KEY = ['X-API-Key', 'ais_live_1'];
const A_KEY = { kind: 'key', text: 'ais_live_1' };
const A_TOKEN = { kind: 'token', text: 'a.b.c' };

function refusalOf(credential: Credential, ...rawHeaders: string[]): object {
  return refusalBy(() => shown(credential, ...rawHeaders));
}

function refusalBy(read: () => unknown): object {
  try {
    read();
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details?: object };
    return { code, message, ...details };
  }
  return expect.fail('It was taken.');
}

describe('the credential of a request is', () => {
  test('a key where the endpoint takes keys, and a token where it takes tokens', () => {
    expect(shown('key', ...KEY)).toEqual(A_KEY);
    expect(shown('either', ...KEY)).toEqual(A_KEY);
    expect(shown('session', ...BEARER)).toEqual(A_TOKEN);
    expect(shown('either', ...BEARER)).toEqual(A_TOKEN);
  });

  test('not looked at where the endpoint asks for none', () => {
    expect(shown('none', ...KEY, ...KEY, ...BEARER)).toBeUndefined();
  });

  test('the one that the endpoint takes, when both are shown', () => {
    expect(shown('key', ...KEY, ...BEARER)).toEqual(A_KEY);
    expect(shown('session', ...KEY, ...BEARER)).toEqual(A_TOKEN);
  });

  test('a key, also as a bearer token, where the endpoint takes both', () => {
    expect(shownToBearerKeys(...KEY)).toEqual(A_KEY);
    expect(shownToBearerKeys('Authorization', 'Bearer ais_live_1')).toEqual(A_KEY);
  });

  test.each(['bearer a.b.c', 'BEARER   a.b.c', 'Bearer a.b.c \t'])('a token in %j', (header) => {
    expect(shown('session', 'authorization', header)).toEqual(A_TOKEN);
  });
});

describe('unauthenticated is', () => {
  test('a key where a token is asked for, a token where a key is, and nothing at all', () => {
    const asked = {
      session: 'Send an access token: Authorization: Bearer <token>.',
      key: 'Send an API key: X-API-Key: <key>.',
      either: 'Send an access token or an API key.',
    };
    expect(refusalOf('session', ...KEY)).toEqual({ code: 'unauthenticated', message: asked.session });
    expect(refusalOf('key', ...BEARER)).toEqual({ code: 'unauthenticated', message: asked.key });
    expect(refusalOf('either')).toEqual({ code: 'unauthenticated', message: asked.either });
  });

  test('no key where it may be a bearer token as well', () => {
    expect(refusalBy(() => shownToBearerKeys())).toEqual({
      code: 'unauthenticated',
      message: 'Send an API key: X-API-Key: <key>, or Authorization: Bearer <key>.',
    });
  });

  test.each(['Bearera.b.c', 'Bearer', 'a.b.c', 'Basic a.b.c', 'Basic Bearer a.b.c', 'x bearer a'])(
    '%j',
    (header) => {
      expect(refusalOf('session', 'Authorization', header)).toMatchObject({ code: 'unauthenticated' });
    },
  );
});

describe('two credentials are refused:', () => {
  const refused = (message: string) => ({
    code: 'invalid_request',
    message: expect.any(String),
    errors: [{ path: '', code: 'two_credentials', message }],
  });

  test('a key and a token where either is taken', () => {
    const message = 'Send an access token or an API key, not both.';
    expect(refusalOf('either', ...KEY, ...BEARER)).toEqual(refused(message));
  });

  test('a key in each header where either is taken', () => {
    expect(refusalBy(() => shownToBearerKeys(...KEY, ...BEARER))).toEqual(refused('Send the API key once.'));
  });

  test('two keys, as two headers or joined', () => {
    const message = 'Send X-API-Key once.';
    expect(refusalOf('key', ...KEY, ...KEY)).toEqual(refused(message));
    expect(refusalOf('either', 'x-api-key', 'ais_live_1, ais_live_2')).toEqual(refused(message));
  });

  test('two tokens, as two headers or joined', () => {
    const message = 'Send Authorization once.';
    expect(refusalOf('session', ...BEARER, ...BEARER)).toEqual(refused(message));
    expect(refusalOf('session', 'Authorization', 'Basic x', ...BEARER)).toEqual(refused(message));
    expect(refusalOf('either', 'authorization', 'Bearer a.b.c, Bearer d.e.f')).toEqual(refused(message));
  });
});

describe('with the login of the application', () => {
  const hostLogin: LentLogin = {
    ask: () => null,
    authenticateHost: () => Promise.reject(new Error('It is not asked.')),
    trustedOrigins: new Set(),
  };
  const read = (credential: Credential, ...rawHeaders: string[]) =>
    readCredential({ credential } as Endpoint, { rawHeaders, hostLogin });

  test('no token is read, and a key comes before the login', () => {
    for (const credential of ['session', 'either'] as const) {
      expect(read(credential)).toEqual({ kind: 'host', text: '' });
      expect(read(credential, ...BEARER)).toEqual({ kind: 'host', text: '' });
    }
    expect(read('either', ...KEY)).toEqual(A_KEY);
    expect(read('session', ...KEY)).toEqual({ kind: 'host', text: '' });
  });

  test('an endpoint for keys alone does not ask the application', () => {
    expect(read('key', ...KEY)).toEqual(A_KEY);
    expect(refusalBy(() => read('key', ...BEARER))).toMatchObject({ code: 'unauthenticated' });
  });

  test('authenticates the person whom the application names, and reads a text as a token without such a login', async () => {
    const asked: unknown[] = [];
    const service = {
      authenticateSession: async (text: string) => asked.push(`token ${text}`),
    } as unknown as IdentityService;
    const ask = async (request: object, kind: Shown['kind']) => {
      const deadlines = createDeadlines(20_000, tooLate);
      await authenticate(
        { request, service, deadlines, requestId: 'req_1' } as Exchange,
        {
          kind,
          text: 't',
        },
        { credential: 'either' },
      );
    };
    const request = {
      method: 'GET',
      rawHeaders: [],
      hostLogin: {
        ...hostLogin,
        ask: () => ({ id: 'ann' }),
        authenticateHost: async (login: unknown) => asked.push(login),
      },
    };
    await ask(request, 'host');
    await ask(request, 'token');
    await ask({ ...request, hostLogin: undefined }, 'host');
    expect(asked).toEqual([{ id: 'ann' }, 'token t', 'token t']);
  });
});

test('checks a key as a key, and a token as a token with a deadline', async () => {
  const calls: string[] = [];
  const service = {
    serving: {
      authenticateKey: async (text: string, { request_id }: { request_id: string }) =>
        calls.push(`key ${text} of ${request_id}`),
    },
    authenticateSession: (text: string) => {
      calls.push(`token ${text}`);
      return new Promise(() => undefined);
    },
  } as unknown as IdentityService;
  const deadlines = createDeadlines(20, tooLate);
  const exchange = { request: {}, service, deadlines, requestId: 'req_1' } as Exchange;
  await authenticate(exchange, { kind: 'key', text: 'k' }, { credential: 'either' });
  await expect(
    authenticate(exchange, { kind: 'token', text: 't' }, { credential: 'either' }),
  ).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  expect(calls).toEqual(['key k of req_1', 'token t']);
});
