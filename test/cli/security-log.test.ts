import { afterAll, beforeAll, expect, test } from 'vitest';
import { GIVEN, type Serving, startServe } from '../support/process.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

/** What `serve --log json` writes while everything is done that secrets take part in. */
const PASSWORD = GIVEN.AGENT_IDENTITY_PASSWORD;
const FRESH = 'Noch-Ein-Kennwort-8';
const WRONG = 'Ein-Falsches-Kennwort-9';
const UNKNOWN_EMAIL = 'eve@example.com';

let folder: string;
let remove: () => void;
let served: Serving;

beforeAll(async () => {
  ({ folder, remove } = await openUsedFolder());
  served = await startServe({ cwd: folder, env: GIVEN }, ['--log', 'json', '--registration', 'open']);
});

afterAll(async () => {
  await served.stop('SIGKILL');
  remove();
});

async function ask(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  json?: object,
): Promise<Record<string, string>> {
  const answer = await fetch(`${served.origin}/api${path}`, {
    method,
    headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { ...(text === '' ? {} : JSON.parse(text)), id_of_request: answer.headers.get('x-request-id') };
}

test('each line is one object with at, level, event and message, and holds no secret and no e-mail', async () => {
  const login = (email: string, password: string) => ask('POST', '/auth/login', {}, { email, password });
  const { access_token: token = '' } = await login(ADMIN, PASSWORD);
  const failed = await login(ADMIN, WRONG);
  await login(UNKNOWN_EMAIL, WRONG);
  await ask('POST', '/auth/register', {}, { email: UNKNOWN_EMAIL, password: FRESH });
  const bearer = { authorization: `Bearer ${token}` };
  const passport = {
    domain: 'example.com',
    agent_name: 'a',
    allowed_actions: ['*'],
    monetary_limit_per_txn: 1,
  };
  const { agent_id = '' } = await ask('POST', '/passports', bearer, passport);
  const { id = '', key = '' } = await ask('POST', '/keys', bearer, { name: 'till' });
  const { key: second = '' } = await ask('POST', `/keys/${id}/rotate`, bearer);
  await ask('POST', '/verify', { 'x-api-key': key }, { agent_id, action: 'a' });
  await ask('POST', '/verify', { 'x-api-key': PASSWORD }, { agent_id, action: 'a' });
  await ask('POST', '/revoke', { 'x-api-key': second }, { agent_id });
  await ask('POST', '/auth/password', bearer, { current_password: WRONG, new_password: FRESH });
  await ask('POST', '/auth/password', bearer, { current_password: PASSWORD, new_password: FRESH });
  const { code, stderr } = await served.stop();
  expect(code).toBe(0);
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) {
    expect(line).toMatchObject({
      at: expect.any(String),
      event: expect.any(String),
      message: expect.any(String),
    });
    expect(['info', 'warn', 'error']).toContain(line.level);
  }
  expect(lines.map(({ event }) => event)).toEqual([
    'signing_key.created',
    'listening',
    'account.login_failed',
    'account.login_failed',
    'account.created',
    'domain.claimed',
    'passport.created',
    'key.created',
    'key.rotated',
    'key.refused',
    'key.refused',
    'passport.revoked',
    'account.login_failed',
    'account.password_changed',
    'stopping',
    'stopped',
  ]);
  expect(lines[2]).toMatchObject({
    request_id: failed['id_of_request'],
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
  });
  expect(lines[9]).toMatchObject({ reason: 'revoked', key_id: id, start: key.slice(0, 13) });
  const secrets = [
    PASSWORD,
    FRESH,
    WRONG,
    GIVEN.AGENT_IDENTITY_SECRET,
    token,
    key,
    second,
    ADMIN,
    UNKNOWN_EMAIL,
  ];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(stderr).not.toContain(secret);
  }
});
