import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentityClient } from '../../src/client.ts';
import { run } from '../support/command.ts';
import { type Ended, GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

/** The commands against a running service. The tests build on one another. */
const AGENT = 'did:web:example.com:agents:shopper';
const { AGENT_IDENTITY_PASSWORD } = GIVEN;

let folder: string;
let remove: () => void;
let serving: Serving;
let elsewhere: string;
let removeElsewhere: () => void;
let apiKey = '';

beforeAll(async () => {
  ({ folder, remove } = await openUsedFolder());
  ({ folder: elsewhere, remove: removeElsewhere } = openFolder());
  serving = await startServe({ cwd: folder, env: GIVEN });
});

afterAll(async () => {
  await serving.stop();
  remove();
  removeElsewhere();
});

/** Runs a command far from the storage. */
function call(
  args: readonly string[],
  env: Readonly<Record<string, string>> = { AGENT_IDENTITY_PASSWORD },
): Promise<Ended> {
  return run([...args, '--url', serving.origin], { cwd: elsewhere, env });
}

async function record(args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await call([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('passports and keys are managed as over the storage', async () => {
  const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', 'shopper'];
  create.push('--allowed-actions', '*', '--monetary-limit-per-txn', '99.50');
  expect(await record(create)).toMatchObject({ agent_id: AGENT, monetary_limit_per_txn: 99.5 });
  expect((await call(create)).code).toBe(1);
  expect((await record(['passport', 'list', '--domain', 'example.com']))['data']).toHaveLength(1);
  expect(await record(['passport', 'show', AGENT])).toMatchObject({ status: 'active' });
  expect(await record(['passport', 'suspend', AGENT])).toMatchObject({ status: 'suspended' });
  expect(await record(['passport', 'reinstate', AGENT])).toMatchObject({ status: 'active' });
  const other = await record(['key', 'create', 'other']);
  apiKey = `${(await record(['key', 'create', 'till']))['key']}`;
  expect(await record(['key', 'revoke', `${other['id']}`])).toMatchObject({ status: 'revoked' });
  expect(await record(['key', 'list'])).toMatchObject({ active_count: 1 });
});

test('verify asks with the API key of the environment', async () => {
  const env = { AGENT_IDENTITY_API_KEY: apiKey };
  const ask = ['verify', '--agent', AGENT, '--action', 'payments.create'];
  expect(await call([...ask, '--amount', '99.5'], env)).toMatchObject({
    code: 0,
    stdout: 'ALLOW\n',
    stderr: '',
  });
  expect((await call([...ask, '--amount', '99.51'], env)).code).toBe(3);
  const refused = await call(ask, { AGENT_IDENTITY_API_KEY: `${apiKey}x` });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).not.toContain(apiKey);
});

test('a token of the environment is used as it is', async () => {
  const answer = await fetch(`${serving.origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN, password: AGENT_IDENTITY_PASSWORD }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  for (const _ of [1, 2]) {
    expect((await call(['key', 'list'], { AGENT_IDENTITY_TOKEN: access_token })).code).toBe(0);
  }
});

test('what the command revokes in the same database, the running service denies', async () => {
  const client = createIdentityClient({ baseUrl: `${serving.origin}/api`, apiKey });
  const intent = { agent_id: AGENT, action: 'payments.create' };
  expect((await client.verify(intent)).verdict).toBe('ALLOW');
  const revoked = await run(['passport', 'revoke', AGENT, '--reason', 'stolen'], { cwd: folder });
  expect(revoked.code).toBe(0);
  // What another process has changed counts within a second, as the service promises.
  await expect
    .poll(() => client.verify(intent), { timeout: 1_000 })
    .toMatchObject({
      verdict: 'DENY',
      reasons: [{ code: 'agent_revoked' }],
    });
});

test('a path without /api is a problem that names the right one, any other says that nothing is there', async () => {
  const verify = await fetch(`${serving.origin}/verify`, { method: 'POST', body: '{}' });
  expect(verify.headers.get('content-type')).toBe('application/problem+json');
  expect(await verify.json()).toMatchObject({ status: 404, detail: expect.stringContaining('/api/verify.') });
  const list = await fetch(`${serving.origin}/passports?limit=1`);
  expect(await list.json()).toMatchObject({
    status: 404,
    detail: expect.stringContaining('/api/passports.'),
  });
  const page = await fetch(`${serving.origin}/nowhere`);
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
});

test('a wrong password is a failure that does not show it', async () => {
  const ended = await call(['key', 'list'], { AGENT_IDENTITY_PASSWORD: 'Ein-Falsches-Kennwort' });
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'agent-identity: The e-mail or the password is wrong.\n',
  });
});

test('fields that the service refuses are usage', async () => {
  const ended = await call(['passport', 'create', '--domain', 'Example.com']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('/agent_name: This field is required: a lower-case name such as shopper.');
});

test('no service, and another one, are failures', async () => {
  const other = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const ask = (): Promise<Ended> =>
    run(['key', 'list', '--url', `http://127.0.0.1:${port}`], {
      cwd: elsewhere,
      env: { AGENT_IDENTITY_PASSWORD },
    });
  expect(await ask()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ is not the API of the service /),
  });
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
  expect(await ask()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No answer from \S+\/api: the connection was refused/),
  });
});
