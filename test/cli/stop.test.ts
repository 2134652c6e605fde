import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  CLI,
  GIVEN,
  type RunOptions,
  ready,
  type Serving,
  said,
  start,
  startServe,
} from '../support/process.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEN_SECONDS = 10_000;

let folder: string;
let remove: () => void;
let serving: Serving | undefined;
let options: RunOptions;

beforeEach(async () => {
  ({ folder, remove } = await openUsedFolder());
  options = { cwd: folder, env: GIVEN };
});

afterEach(async () => {
  serving?.child.kill('SIGKILL');
  await serving?.ended;
  serving = undefined;
  remove();
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a served shell with 0 and frees the port',
  async (signal) => {
    serving = await ready(start('sh', ['-c', `exec '${process.execPath}' '${CLI}' serve --port 0`], options));
    const { code, stderr } = await serving.stop(signal);
    expect(code).toBe(0);
    expect(stderr).toContain('stopped');
    await expectFree(serving);
  },
);

test('SIGTERM to npm start frees the port within ten seconds', async () => {
  const env = { ...GIVEN, PORT: '0', AGENT_IDENTITY_STORAGE: `sqlite:${folder}/agent-identity.db` };
  serving = await ready(start('npm', ['start', '--silent'], { cwd: ROOT, env }));
  const { origin } = serving;
  const sentAt = performance.now();
  await serving.stop();
  expect(performance.now() - sentAt).toBeLessThan(TEN_SECONDS);
  await expectFree({ origin });
});

test('what runs is finished, what comes later is refused', async () => {
  serving = await startServe(options);
  const login = await begin(serving);
  serving.child.kill('SIGTERM');
  await said(serving, () => (serving?.stderr().includes('stopping') ? true : undefined));
  // A machine that is busy is given half a second to take the connections that are just being made.
  const { origin } = serving;
  const comesLater = () =>
    fetch(`${origin}/api/health/live`).then(
      () => 'answered',
      () => 'refused',
    );
  await expect.poll(comesLater).toBe('refused');
  const [answer] = (await finish(login)) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  expect((await serving.ended).code).toBe(0);
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'what was answered right before %s is in the journal',
  async (signal) => {
    const args = ['--storage', `sqlite:${folder}/agent-identity.db`];
    serving = await startServe(options, args);
    const { token, key } = await signIn(serving);
    const answered: unknown[] = [];
    for (let count = 0; count < 20; count += 1) {
      const intent = { agent_id: 'did:web:example.com:agents:nobody', action: `actions.${count}` };
      answered.unshift((await call(serving, '/verify', { 'x-api-key': key }, intent))['decision_id']);
    }
    expect((await serving.stop(signal)).code).toBe(0);
    serving = await startServe(options, args);
    const { data } = await call(serving, '/verifications', { authorization: `Bearer ${token}` });
    expect((data as Record<string, unknown>[]).map(({ decision_id }) => decision_id)).toEqual(answered);
  },
);

test('500 requests of verifiers that wait are answered before it ends', async () => {
  serving = await startServe(options);
  const { origin } = serving;
  const { token } = await signIn(serving);
  const scopes = ['verify', 'decide'];
  const bearer = { authorization: `Bearer ${token}` };
  const { key } = await call(serving, '/keys', bearer, { name: 'verifier', scopes });
  const input = { domain: 'example.com', agent_name: 'a', allowed_actions: ['x'], monetary_limit_per_txn: 0 };
  const { agent_id, version, updated_at } = await call(serving, '/passports', bearer, input);
  const body = JSON.stringify({
    turn: 1,
    agents: { [`${agent_id}`]: `${version} ${updated_at}` },
    wait_ms: 1_000,
  });
  const headers = { 'x-api-key': `${key}`, 'content-type': 'application/json' };
  const url = `${origin.replace('localhost', '127.0.0.1')}/api/verifier/passports`;
  const ask = () =>
    fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 'cut',
    );
  // An answer says that the server has begun: then as many wait as before.
  const waiting = Array.from({ length: 500 }, ask);
  await Promise.race(waiting);
  const again = Array.from({ length: 500 }, ask);
  const sentAt = performance.now();
  expect((await serving.stop()).code).toBe(0);
  expect(performance.now() - sentAt).toBeLessThan(TEN_SECONDS);
  const answers = await Promise.all([...waiting, ...again]);
  expect(answers).toContain(200);
  // Those that came after it stopped to listen are cut, and those beyond the places are 503.
  expect(answers.filter((answer) => !['cut', 200, 503].includes(answer))).toEqual([]);
});

test('a connection that waits for its next request does not hold it up', async () => {
  serving = await startServe(options);
  const socket = connect(Number(new URL(serving.origin).port), '127.0.0.1');
  socket.write('GET /api/health/live HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'data');
  const sentAt = performance.now();
  expect((await serving.stop()).code).toBe(0);
  expect(performance.now() - sentAt).toBeLessThan(8_000);
  socket.destroy();
});

test('a request that never ends is cut off, and the exit code is 0 within ten seconds', async () => {
  serving = await startServe(options);
  const hanging = await begin(serving);
  hanging.on('error', () => {});
  const sentAt = performance.now();
  expect((await serving.stop()).code).toBe(0);
  expect(performance.now() - sentAt).toBeLessThan(TEN_SECONDS);
});

test('a second signal ends it at once', async () => {
  serving = await startServe(options);
  const hanging = await begin(serving);
  hanging.on('error', () => {});
  const again = setInterval(() => serving?.child.kill('SIGTERM'), 50);
  const { code } = await serving.stop();
  clearInterval(again);
  expect(code).toBe(143);
});

test('what is no HTTP is a bare 400', async () => {
  serving = await startServe(options);
  const socket = connect(Number(new URL(serving.origin).port), '127.0.0.1');
  socket.end('nonsense\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
});

async function signIn(at: Serving): Promise<{ token: string; key: string }> {
  const credentials = { email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD };
  const token = `${(await call(at, '/auth/login', {}, credentials))['access_token']}`;
  const { key } = await call(at, '/keys', { authorization: `Bearer ${token}` }, { name: 'first' });
  return { token, key: `${key}` };
}

async function call(
  { origin }: Serving,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin.replace('localhost', '127.0.0.1')}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

/** A login whose body is still to come; the server has its head. */
async function begin({ origin }: Serving): Promise<ClientRequest> {
  const login = request(`${origin.replace('localhost', '127.0.0.1')}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  });
  login.flushHeaders();
  await once(login, 'continue');
  return login;
}

function finish(login: ClientRequest): Promise<unknown[]> {
  const answered = once(login, 'response');
  login.end(JSON.stringify({ email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD }));
  return answered;
}

async function expectFree({ origin }: { readonly origin: string }): Promise<void> {
  const next = createServer().listen(Number(new URL(origin).port), '127.0.0.1');
  await once(next, 'listening');
  next.close();
}
