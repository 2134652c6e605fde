import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { createRandom } from '../../bench/lib/random.mjs';
import { createIdentityService, type Passport, type ServiceWith } from '../../src/index.ts';
import { type PeopleCapability, people } from '../../src/people/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';
import { nightly, sized } from '../support/runs.ts';

const ROUNDS = nightly(50, sized(15, 5));
const CLIENTS = 4;
const EMAIL = 'admin@localhost';
const FILE = 'agents.db';

/** What the service has acknowledged: the passport as it was answered. */
type Acknowledged = Map<string, Passport>;

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = openFolder());
});

afterAll(() => remove());

test(`nothing acknowledged is lost over ${ROUNDS} kill -9 in mid-write`, async () => {
  const token = await signIn();
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = createRandom(seed);
  const acknowledged: Acknowledged = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    const serving = await startServe({ cwd: folder, env: GIVEN }, ['--storage', `sqlite:${FILE}`]);
    const before = acknowledged.size;
    const writers = Array.from({ length: CLIENTS }, (_, client) =>
      write(serving, token, `r${round}-c${client}`, acknowledged),
    );
    // The number of writes decides when it dies, so that every round dies in the middle of some.
    await written(serving, acknowledged, before + 1 + Math.floor(random() * 40));
    await serving.stop('SIGKILL');
    await Promise.all(writers);
  }
  const found = await readAll(acknowledged.keys());
  console.log(`seed ${seed}: ${acknowledged.size} acknowledged, ${found.size} found after ${ROUNDS} kills`);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(acknowledged));
});

/** Issues one passport after another, and revokes every third, until the service is gone. */
async function write(
  serving: Serving,
  token: string,
  name: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(`${serving.origin.replace('localhost', '127.0.0.1')}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  try {
    for (let count = 0; ; count += 1) {
      const issued = await post('/passports', {
        domain: 'example.com',
        agent_name: `${name}-${count}`,
        allowed_actions: ['payments.create', `orders.${count}`],
        monetary_limit_per_txn: `${count}.25`,
        metadata: { text: `${name} ${'x'.repeat(400)}` },
      });
      const passport = (await issued.json()) as Passport;
      expect(issued.status).toBe(201);
      acknowledged.set(passport.agent_id, passport);
      if (count % 3 !== 2) continue;
      // Until it is answered, either state is right: then the passport is not checked.
      acknowledged.delete(passport.agent_id);
      const revoked = await post('/revoke', { agent_id: passport.agent_id, reason: name });
      const { revoked_at } = (await revoked.json()) as { revoked_at: string };
      expect(revoked.status).toBe(200);
      acknowledged.set(passport.agent_id, revokedFrom(passport, revoked_at, name));
    }
  } catch (error) {
    if (!(error instanceof TypeError || (error as Error).name === 'SyntaxError')) throw error;
  }
}

function revokedFrom(passport: Passport, revoked_at: string, revocation_reason: string): Passport {
  const revoked_by = expect.stringMatching(/^mem_/) as string;
  return {
    ...passport,
    status: 'revoked',
    version: 2,
    updated_at: expect.any(String) as string,
    revoked_at,
    revoked_by,
    revocation_reason,
  };
}

/** Settles when the given number is acknowledged. */
async function written(serving: Serving, acknowledged: Acknowledged, count: number): Promise<void> {
  while (acknowledged.size < count) {
    if (serving.child.exitCode !== null) throw new Error(`It died by itself: ${serving.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** The account and a session for all rounds; its plan has no limit on passports. */
async function signIn(): Promise<string> {
  return withService(async (service) => {
    const credentials = { email: EMAIL, password: GIVEN.AGENT_IDENTITY_PASSWORD };
    await service.accounts.create(credentials);
    return (await service.login(credentials)).access_token;
  });
}

async function readAll(agentIds: Iterable<string>): Promise<Map<string, Passport>> {
  return withService(async (service) => {
    const { data } = await service.accounts.list();
    const account_id = data[0]?.id ?? '';
    const found = new Map<string, Passport>();
    for (const id of agentIds) {
      const passport = await service.passports.get(id, { account_id }).catch(() => undefined);
      if (passport !== undefined) found.set(id, passport);
    }
    return found;
  });
}

async function withService<Result>(
  use: (service: ServiceWith<readonly [PeopleCapability]>) => Promise<Result>,
): Promise<Result> {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: await sqliteStorage({ file: join(folder, FILE) }),
    session: { secret: GIVEN.AGENT_IDENTITY_SECRET },
    defaultPlan: 'enterprise',
    capabilities: [people()],
  });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}
