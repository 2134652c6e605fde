import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { expectProblem, issue, makeKey, openApi, PASSPORT, signIn, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { HOUR, openLocalService, openService, PASSWORD, SECRET } from '../support/service.ts';
import { dump } from '../support/storage-probe.ts';

const EMAIL = 'owner@example.com';
const OTHER_PASSWORD = 'Ein-Anderes-Kennwort-8';

describe('a login', () => {
  test('gives a bearer token for an hour', async () => {
    const { opened, api } = await openStage();
    const answer = await api.ask('POST', '/auth/login', { json: { email: EMAIL, password: PASSWORD } });
    expect(answer.body).toStrictEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 3600,
    });
    const token = text(answer, 'access_token');
    opened.clock.advance(HOUR - 1);
    expect((await api.ask('GET', '/keys', { token })).status).toBe(200);
    opened.clock.advance(5_001);
    expectProblem(await api.ask('GET', '/keys', { token }), 401, 'unauthenticated');
  });

  test('is refused alike, with the same work, for a wrong e-mail and a wrong password', async () => {
    const { opened, api } = await openStage();
    const refuse = async (email: string, password: string) => {
      const before = { ...opened.hashing };
      const answer = await api.ask('POST', '/auth/login', { json: { email, password } });
      expectProblem(answer, 401, 'invalid_credentials');
      const work = opened.hashing.verified + opened.hashing.verifiedNothing;
      expect(work - before.verified - before.verifiedNothing).toBe(1);
      expect(opened.hashing.hashed).toBe(before.hashed);
      return answer.text.replace(/"request_id":"[^"]*"/, '');
    };
    const texts = [
      await refuse(EMAIL, OTHER_PASSWORD),
      await refuse('nobody@example.com', PASSWORD),
      await refuse(EMAIL, ''),
      await refuse('', ''),
      await refuse('not an e-mail', 'a'.repeat(5_000)),
      await refuse(EMAIL, 'a'.repeat(5_000)),
      await refuse(EMAIL, PASSWORD.toLowerCase()),
      await refuse(EMAIL, ` ${PASSWORD}`),
      await refuse(` ${EMAIL}`, PASSWORD),
    ];
    expect(new Set(texts).size).toBe(1);
  });

  test('takes the e-mail in any case and the password in any form of Unicode', async () => {
    const opened = openService();
    const api = openApi(opened);
    const password = 'Käsekuchen-Rezept';
    await opened.service.accounts.create({ email: 'Owner@Example.COM', password: password.normalize('NFD') });
    opened.secrets.add(password);
    for (const email of ['owner@example.com', 'OWNER@example.com']) {
      for (const form of ['NFC', 'NFD']) {
        const json = { email, password: password.normalize(form) };
        expect((await api.ask('POST', '/auth/login', { json })).status).toBe(200);
      }
    }
  });

  test('is refused to an account that is disabled, and its sessions end', async () => {
    const { opened, api, token } = await openStage();
    const [account] = await opened.storage.list('accounts', { where: {}, limit: 1 });
    if (account === undefined) throw new Error('There is no account.');
    const { version } = account;
    const record = { ...account, version: version + 1, disabled_at: opened.clock.instant() };
    const disabled = await opened.storage.write([{ op: 'replace', collection: 'accounts', record, version }]);
    expect(disabled).toMatchObject({ written: true });
    const json = { email: EMAIL, password: PASSWORD };
    expectProblem(await api.ask('POST', '/auth/login', { json }), 401, 'invalid_credentials');
    expectProblem(await api.ask('GET', '/keys', { token }), 401, 'unauthenticated');
  });

  test('stores nothing of the token or the password', async () => {
    const { opened, token } = await openStage();
    const stored = await dump(opened.storage);
    expect(stored).not.toContain(PASSWORD);
    for (const part of token.split('.')) expect(stored).not.toContain(part);
  });

  test('works with the real hasher of the contract', async () => {
    const opened = openService();
    const { createIdentityService } = await import('../../src/core.ts');
    const { people } = await import('../../src/people/index.ts');
    const service = createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: opened.storage,
      session: { secret: SECRET },
      capabilities: [people()],
    });
    await service.accounts.create({ email: EMAIL, password: PASSWORD });
    const [login] = await opened.storage.list('logins', { where: {}, limit: 1 });
    expect(login?.['password_hash']).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$/);
    expect((await service.login({ email: EMAIL, password: PASSWORD })).token_type).toBe('bearer');
    await expect(service.login({ email: EMAIL, password: OTHER_PASSWORD })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
  });
});

describe('a session ends', () => {
  test('at once by logout, and no other with it', async () => {
    const { opened, api, token } = await openStage();
    const other = (await opened.service.login({ email: EMAIL, password: PASSWORD })).access_token;
    expect((await api.ask('POST', '/auth/logout', { token })).status).toBe(204);
    expectProblem(await api.ask('GET', '/keys', { token }), 401, 'unauthenticated');
    expectProblem(await api.ask('POST', '/auth/logout', { token }), 401, 'unauthenticated');
    expect((await api.ask('GET', '/keys', { token: other })).status).toBe(200);
  });

  test('with every other of its account, and none of another, by logout everywhere', async () => {
    const { opened, api, token } = await openStage();
    const other = (await opened.service.login({ email: EMAIL, password: PASSWORD })).access_token;
    const otherAccount = await signIn(opened, api, 'other@example.com');
    const everywhere = (given: unknown) => ({ token, json: { everywhere: given } });
    const refused = await api.ask('POST', '/auth/logout', everywhere('yes'));
    expect(expectProblem(refused, 400, 'invalid_request')).toEqual(['/everywhere']);
    expect((await api.ask('POST', '/auth/logout', everywhere(true))).status).toBe(204);
    for (const ended of [token, other])
      expectProblem(await api.ask('GET', '/keys', { token: ended }), 401, 'unauthenticated');
    expect((await api.ask('GET', '/keys', { token: otherAccount.token })).status).toBe(200);
    expect(opened.trail.at(-1)).toMatchObject({ event: 'account.sessions_ended', level: 'info' });
    const again = (await opened.service.login({ email: EMAIL, password: PASSWORD })).access_token;
    expect(
      (await api.ask('POST', '/auth/logout', { token: again, json: { everywhere: false } })).status,
    ).toBe(204);
  });

  test('with every other by a new password, while API keys live on', async () => {
    const { opened, api, token } = await openStage();
    await issue(api, token);
    const { key } = await makeKey(api, token);
    opened.secrets.add(OTHER_PASSWORD);
    await opened.service.accounts.setPassword({ email: EMAIL, password: OTHER_PASSWORD });
    expectProblem(await api.ask('GET', '/keys', { token }), 401, 'unauthenticated');
    const old = await api.ask('POST', '/auth/login', { json: { email: EMAIL, password: PASSWORD } });
    expectProblem(old, 401, 'invalid_credentials');
    const fresh = await api.ask('POST', '/auth/login', { json: { email: EMAIL, password: OTHER_PASSWORD } });
    expect((await api.ask('GET', '/keys', { token: text(fresh, 'access_token') })).status).toBe(200);
    const json = { agent_id: 'did:web:example.com:agents:shopper', action: 'orders.get' };
    expect((await api.ask('POST', '/verify', { key, json })).body['verdict']).toBe('ALLOW');
  });

  test('when its record is gone or belongs to another account', async () => {
    const { opened, api, token } = await openStage();
    const { session_id } = await opened.service.authenticateSession(token);
    const session = await opened.storage.get('sessions', session_id);
    if (session === undefined) throw new Error('There is no session.');
    const record = { ...session, version: 2, account_id: 'acc_other' };
    await opened.storage.write([{ op: 'replace', collection: 'sessions', record, version: 1 }]);
    expectProblem(await api.ask('GET', '/keys', { token }), 401, 'unauthenticated');
    opened.clock.advance(2 * HOUR);
    await opened.storage.purge('sessions', opened.clock.instant());
    expect(await opened.storage.get('sessions', session_id)).toBeUndefined();
    expectProblem(await api.ask('GET', '/keys', { token }), 401, 'unauthenticated');
  });
});

test('a token that was made with the secret but was never issued opens nothing', async () => {
  const { opened, api, token } = await openStage();
  const { account_id, session_id } = await opened.service.authenticateSession(token);
  const seconds = opened.clock.now() / 1_000;
  const forge = (jti: string, typ = 'ais-session+jwt', alg = 'HS256') =>
    new SignJWT()
      .setProtectedHeader({ alg, typ })
      .setIssuer('agent-identity-service')
      .setAudience('agent-identity-service')
      .setSubject(account_id)
      .setJti(jti)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 3_600)
      .sign(new TextEncoder().encode(SECRET));
  const ask = async (forged: string) => (await api.ask('GET', '/keys', { token: forged })).status;
  expect(await ask(await forge(session_id))).toBe(200);
  expect(await ask(await forge('ses_0000000000000000000000'))).toBe(401);
  expect(await ask(await forge(session_id, 'JWT'))).toBe(401);
  expect(await ask(await forge(session_id, 'ais-session+jwt', 'HS512'))).toBe(401);
  const [, payload] = token.split('.');
  const none = Buffer.from('{"alg":"none","typ":"ais-session+jwt"}').toString('base64url');
  expect(await ask(`${none}.${payload}.`)).toBe(401);
});

describe('registration', () => {
  test('when open makes an account that can sign in, once per e-mail', async () => {
    const opened = openService({ registration: 'open' });
    const api = openApi(opened);
    const json = { email: 'New@Example.com', password: PASSWORD };
    const answer = await api.ask('POST', '/auth/register', { json });
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(/^acc_[0-9A-Za-z]{22}$/),
      email: 'new@example.com',
      plan: 'starter',
    });
    const again = await api.ask('POST', '/auth/register', { json: { ...json, email: 'NEW@example.com' } });
    expectProblem(again, 409, 'already_exists');
    expect((await api.ask('POST', '/auth/login', { json })).status).toBe(200);
  });

  test('of one e-mail many times at once makes one account', async () => {
    const api = openApi(openService({ registration: 'open' }));
    const json = { email: EMAIL, password: PASSWORD };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.ask('POST', '/auth/register', { json })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  test('when closed is no path, whatever is sent', async () => {
    const { api, refused } = await openStage();
    await refused(
      'POST',
      '/auth/register',
      { json: { email: 'a@b.example', password: PASSWORD } },
      404,
      'not_found',
    );
    expectProblem(await api.ask('GET', '/auth/register'), 404, 'not_found');
  });
});

test('a service without logins has no login, and refuses every token', async () => {
  const opened = openLocalService();
  const api = openApi(opened);
  const elsewhere = openService();
  const { token } = await signIn(elsewhere, openApi(elsewhere));
  const json = { email: EMAIL, password: PASSWORD };
  expectProblem(await api.ask('POST', '/auth/login', { json }), 404, 'not_found');
  expectProblem(await api.ask('POST', '/auth/logout', { token }), 404, 'not_found');
  expectProblem(await api.ask('GET', '/passports', { token }), 401, 'unauthenticated');
  const { agent_id } = await opened.service.passports.create(PASSPORT);
  const { key } = await opened.service.keys.create({ name: 'local' });
  opened.secrets.add(key);
  const verdict = await api.ask('POST', '/verify', { key, json: { agent_id, action: 'orders.get' } });
  expect(verdict.body['verdict']).toBe('ALLOW');
  await expect(opened.service.login(json)).rejects.toMatchObject({ code: 'not_found' });
});
