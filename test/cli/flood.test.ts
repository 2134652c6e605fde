import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';
import { IS_NIGHT, sized } from '../support/runs.ts';

/** The most memory that the process may take in all. */
const MAX_MIB = 320;
/** The longest that its owner may wait; only the nightly run asks, because a busy machine checks a password slowly. */
const MAX_SIGN_IN_MS = 3_000;
/** Guesses that may be checked before the owner: those that came first, and the one that runs. */
const MAX_BEFORE = 5;

const CONNECTIONS = sized(400, 100);
const PIPELINED_BYTES = 187 * 1024;
const LOGINS_AT_ONCE = sized(100, 30);
const LOGINS_PER_SECOND = sized(8, 2);
const MAX_ATTEMPTS = 8;

/** The most that was in memory at any time, as the kernel has counted. */
function peakMib({ child }: Serving): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/** Sends the given number of bytes of one request over and over, and reads nothing. */
function flood(origin: string, request: string): void {
  const socket = connect(Number(new URL(origin).port), 'localhost').pause();
  socket.on('error', () => undefined);
  socket.write(request.repeat(Math.floor(PIPELINED_BYTES / request.length)));
  onTestFinished(() => void socket.destroy());
}

test('a flood of pages and logins takes neither the memory, nor the verdicts, nor the owner', async () => {
  const { folder, remove } = openFolder();
  const serving = await startServe({ cwd: folder, env: GIVEN }, ['--trust-proxy', '1']);
  const end = new AbortController();
  onTestFinished(async () => {
    end.abort();
    await serving.stop('SIGKILL');
    remove();
  });
  const { key } = JSON.parse((await run(['key', 'create', 'till', '--json'], { cwd: folder })).stdout);
  const post = async (path: string, body: object, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${serving.origin}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: end.signal,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  let guesses = 0;
  let checked = 0;
  /** From another /64 of one /56 each time, at an e-mail that was not tried before. */
  const guess = () => {
    guesses += 1;
    const address = `2001:db8:0:ab${(guesses % 256).toString(16).padStart(2, '0')}::1`;
    const given = { email: `${guesses}@example.com`, password: 'x' };
    const count = (status: number) => {
      if (status === 401) checked += 1;
    };
    post('/auth/login', given, { 'x-forwarded-for': address }).then(count, () => undefined);
  };
  const verify = () =>
    post('/verify', { agent_id: 'did:web:a.example:agents:b', action: 'c' }, { 'x-api-key': key });

  const owner = { email: 'admin@localhost', password: GIVEN.AGENT_IDENTITY_PASSWORD };
  /** Returns the time of a sign-in, and infinity if it was refused: on a slow machine the storage or the password may be late. */
  const signIn = async () => {
    const since = performance.now();
    const status = await post('/auth/login', owner, { 'x-forwarded-for': '198.51.100.9' });
    expect([200, 503]).toContain(status);
    return status === 200 ? performance.now() - since : Number.POSITIVE_INFINITY;
  };

  for (let index = 0; index < CONNECTIONS; index += 1) {
    flood(serving.origin, `GET ${index % 8 === 0 ? '/api/openapi.json' : '/'} HTTP/1.1\r\nHost: h\r\n\r\n`);
  }
  for (let index = 0; index < LOGINS_AT_ONCE; index += 1) guess();
  const more = setInterval(guess, 1_000 / LOGINS_PER_SECOND);
  onTestFinished(() => clearInterval(more));

  let tookMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && tookMs >= MAX_SIGN_IN_MS; attempt += 1) {
    const before = checked;
    const signingIn = signIn();
    expect(await verify()).toBe(200);
    tookMs = await signingIn;
    expect(checked - before).toBeLessThanOrEqual(MAX_BEFORE);
    expect(await verify()).toBe(200);
  }
  if (IS_NIGHT) expect(tookMs).toBeLessThan(MAX_SIGN_IN_MS);
  expect(peakMib(serving)).toBeLessThan(MAX_MIB);
});
