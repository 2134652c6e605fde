import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { GIVEN, openFolder, type Serving, said, startServe } from '../support/process.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'orders.place' };

let folder: string;
let remove: () => void;
let serving: Serving;

beforeEach(async () => {
  ({ folder, remove } = await openUsedFolder());
});

afterEach(async () => {
  await serving.stop('SIGKILL');
  remove();
});

/** A folder for the first start. */
function useFreshFolder(): void {
  remove();
  ({ folder, remove } = openFolder());
}

async function serve(...args: readonly string[]): Promise<void> {
  serving = await startServe({ cwd: folder, env: GIVEN }, args);
}

function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${serving.origin}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** The answers to the given number of sign-ins with a wrong password, one after another. */
async function guess(times: number, forwarded?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const answer = await post('/auth/login', { email: ADMIN, password: 'Falsch' }, headers);
    statuses.push(answer.status);
  }
  return statuses;
}

async function createKey(): Promise<string> {
  const made = await run(['key', 'create', 'till', '--json'], { cwd: folder });
  return JSON.parse(made.stdout).key;
}

/** The answers to the given number of batches of a hundred verifications. */
async function ask(times: number, key: string): Promise<number[]> {
  const batch = { intents: Array.from({ length: 100 }, () => INTENT) };
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    statuses.push((await post('/verify/batch', batch, { 'x-api-key': key })).status);
  }
  return statuses;
}

describe('--rate-limits', () => {
  test('on holds back who asks too much', async () => {
    await serve('--rate-limits', 'on');
    // Whatever the minute: two full ones cannot take all of them.
    expect(await ask(121, await createKey())).toContain(429);
  });

  test('off lifts that, and the throttle of logins', async () => {
    await serve('--rate-limits', 'off');
    expect(await guess(11)).toEqual(Array.from({ length: 11 }, () => 401));
    expect(new Set(await ask(121, await createKey()))).toEqual(new Set([200]));
  });
});

describe('--trust-proxy', () => {
  test('0 believes no header about the address that guesses passwords', async () => {
    await serve('--rate-limits', 'on');
    expect(await guess(10, '192.0.2.1')).toEqual(Array.from({ length: 10 }, () => 401));
    expect(await guess(1, '192.0.2.2')).toEqual([429]);
  });

  test('1 believes the last hop alone', async () => {
    await serve('--trust-proxy', '1');
    await guess(10, '192.0.2.1');
    expect(await guess(1, '198.51.100.7, 192.0.2.1')).toEqual([429]);
    expect(await guess(1, '192.0.2.1, 192.0.2.2')).toEqual([401]);
  });
});

test('--default-plan is the plan of the accounts that it opens', async () => {
  useFreshFolder();
  await serve('--default-plan', 'team', '--registration', 'open');
  await post('/auth/register', { email: 'ada@example.com', password: GIVEN.AGENT_IDENTITY_PASSWORD });
  const listed = await run(['account', 'list', '--json'], { cwd: folder });
  expect(JSON.parse(listed.stdout).data).toMatchObject([{ plan: 'team' }, { plan: 'team' }]);
});

test('--log json writes one line per event, from start to stop, and no secret', async () => {
  useFreshFolder();
  await serve('--log', 'json');
  const key = await createKey();
  const login = await post('/auth/login', { email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD });
  const { access_token } = (await login.json()) as { access_token: string };
  const database = new Libsql(join(folder, 'agent-identity.db'));
  database.exec('begin immediate');
  try {
    const bearer = { authorization: `Bearer ${access_token}`, 'x-request-id': 'req-locked' };
    expect((await post('/keys', { name: 'locked' }, bearer)).status).toBe(503);
    expect((await post('/verify', INTENT, { 'x-api-key': key })).status).toBe(200);
    await said(serving, () => serving.stderr().includes('journal_stuck') || undefined);
  } finally {
    database.exec('rollback');
    database.close();
  }
  const { code, stdout, stderr } = await serving.stop();
  expect(code).toBe(0);
  const events = stderr
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  for (const event of events) {
    expect(event).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: expect.stringMatching(/^(?:info|warn|error)$/),
      event: expect.stringMatching(/^[a-z_.]+$/),
      message: expect.any(String),
    });
  }
  const names = events.map(({ event }) => event);
  // The lock is gone by then, so that the stop stores what had waited.
  expect([...new Set(names)].filter((name) => name !== 'request_failed')).toEqual([
    'signing_key.created',
    'account.created',
    'listening',
    'journal_stuck',
    'stopping',
    'journal_recovered',
    'stopped',
  ]);
  expect(events).toContainEqual(
    expect.objectContaining({
      event: 'request_failed',
      request_id: 'req-locked',
      code: 'storage_unavailable',
    }),
  );
  for (const secret of [...Object.values(GIVEN), key, access_token]) {
    expect(stdout + stderr).not.toContain(secret);
  }
});
