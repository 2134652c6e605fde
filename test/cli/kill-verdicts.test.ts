import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { GIVEN, type Serving, startServe } from '../support/process.ts';
import { nightly, sized } from '../support/runs.ts';
import { expectSumsAgree } from '../support/sums.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const ROUNDS = nightly(20, sized(8, 3));
const BATCHED_ROUNDS = nightly(5, sized(3, 2));
const CLIENTS = 6;
const FILE = 'agents.db';
const AGENT = 'did:web:example.com:agents:shopper';

/** What the clients send with. */
interface Access {
  readonly token: string;
  readonly key: string;
}

let folder: string;
let remove: () => void;
let running: Serving[];

beforeEach(async () => {
  ({ folder, remove } = await openUsedFolder(FILE));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((serving) => serving.stop('SIGKILL')));
  remove();
});

test(`no acknowledged verdict is lost over ${ROUNDS} kill -9 with a strict journal`, async () => {
  const answered: string[] = [];
  const access = await killed('strict', ROUNDS, answered);
  const serving = await serve('strict');
  const found = await readOverHttp(serving, access);
  await serving.stop();
  console.log(`strict: ${answered.length} acknowledged, ${found.length} found after ${ROUNDS} kills`);
  expect(answered.length).toBeGreaterThan(ROUNDS);
  expect(new Set(found).size).toBe(found.length);
  const stored = new Set(found);
  expect(answered.filter((id) => !stored.has(id))).toEqual([]);
  await expectRollupsAgree(found.length);
});

test('after kill -9 without strict the rollups agree with the records that are found', async () => {
  const answered: string[] = [];
  const { token, key } = await killed('batched', BATCHED_ROUNDS, answered);
  const serving = await serve('batched');
  const found = await readOverHttp(serving, { token, key });
  await serving.stop();
  console.log(
    `batched: ${answered.length} acknowledged, ${found.length} found after ${BATCHED_ROUNDS} kills`,
  );
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found).size).toBe(found.length);
  await expectRollupsAgree(found.length);
});

async function serve(mode: 'strict' | 'batched'): Promise<Serving> {
  const args = ['--storage', `sqlite:${FILE}`, '--journal', mode, '--rate-limits', 'off'];
  const serving = await startServe({ cwd: folder, env: GIVEN }, args);
  running.push(serving);
  return serving;
}

/** Starts the given number of services, each killed in the middle of verdicts; the ids of those that were answered go to `answered`. */
async function killed(mode: 'strict' | 'batched', rounds: number, answered: string[]): Promise<Access> {
  let access: Access | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const serving = await serve(mode);
    access ??= await prepare(serving);
    const { key } = access;
    const enough = answered.length + 10 + 60 * (round % 5);
    const clients = Array.from({ length: CLIENTS }, () => verify(serving, key, answered));
    await until(answered, enough - 5, serving);
    // Who reads has what was answered before stored first: however quick a round is, some records are there.
    await call(serving, 'GET', '/verifications?limit=1', { authorization: `Bearer ${access.token}` });
    // The number of answers decides when it dies, so that every round dies in the middle of some.
    await until(answered, enough, serving);
    await serving.stop('SIGKILL');
    await Promise.all(clients);
  }
  if (access === undefined) throw new Error('There was no round.');
  return access;
}

async function until(answered: readonly string[], count: number, serving: Serving): Promise<void> {
  while (answered.length < count) {
    if (serving.child.exitCode !== null) throw new Error(`It died by itself: ${serving.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function prepare(serving: Serving): Promise<Access> {
  const credentials = { email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD };
  const login = await call(serving, 'POST', '/auth/login', {}, credentials);
  const token = `${login['access_token']}`;
  const bearer = { authorization: `Bearer ${token}` };
  const { key } = await call(serving, 'POST', '/keys', bearer, { name: 'load' });
  await call(serving, 'POST', '/passports', bearer, {
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['payments.create'],
    monetary_limit_per_txn: 100,
  });
  return { token, key: `${key}` };
}

/** One verdict after another, now and then a batch, until the service is gone. */
async function verify(serving: Serving, key: string, answered: string[]): Promise<void> {
  const headers = { 'x-api-key': key };
  const intentOf = (count: number) => ({
    agent_id: AGENT,
    action: count % 3 === 0 ? 'payments.refund' : 'payments.create',
    parameters: { amount: count % 200 },
  });
  try {
    for (let count = 0; ; count += 1) {
      if (count % 10 !== 9) {
        const { decision_id } = await call(serving, 'POST', '/verify', headers, intentOf(count));
        answered.push(`${decision_id}`);
        continue;
      }
      const intents = [intentOf(count), intentOf(count + 1), intentOf(count + 2)];
      const { verdicts } = await call(serving, 'POST', '/verify/batch', headers, { intents });
      answered.push(...(verdicts as { decision_id: string }[]).map(({ decision_id }) => decision_id));
    }
  } catch (error) {
    if (!(error instanceof TypeError || (error as Error).name === 'SyntaxError')) throw error;
  }
}

async function readOverHttp(serving: Serving, { token }: Access): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const bearer = { authorization: `Bearer ${token}` };
    const page = await call(serving, 'GET', `/verifications?limit=100${cursor}`, bearer);
    ids.push(...(page['data'] as { decision_id: string }[]).map(({ decision_id }) => decision_id));
    cursor = page['next_cursor'] === null ? '' : `&cursor=${page['next_cursor']}`;
  } while (cursor !== '');
  return ids;
}

async function call(
  { origin }: Serving,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin.replace('localhost', '127.0.0.1')}/api${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  expect([200, 201]).toContain(response.status);
  return answer as Record<string, unknown>;
}

/** The sums count exactly the records that the journal holds, whose number is given. */
async function expectRollupsAgree(records: number): Promise<void> {
  const storage = await sqliteStorage({ file: join(folder, FILE) });
  try {
    const [account] = await storage.list('accounts', { where: {}, limit: 1 });
    expect(await expectSumsAgree(storage, account?.id ?? '', AGENT)).toHaveLength(records);
  } finally {
    await storage.close();
  }
}
