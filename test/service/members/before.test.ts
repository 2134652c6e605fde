/** A store of the release before members goes on: login, token, key, passport and a pending approval. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../../adapters/storage/redis/index.ts';
import { sqliteStorage } from '../../../adapters/storage/sql/index.ts';
import { sessionTokens } from '../../../src/credential/session.ts';
import type { StorageAdapter } from '../../../src/index.ts';
import { founderOf } from '../../../src/service/shared/people.ts';
import { administer, hasPostgres, openSchema, schemaOf } from '../../storage/postgres-database.ts';
import { connectClient, dropNamespace, hasRedis, newNamespace, SERVER } from '../../storage/redis-server.ts';
import { libraries, withDatabase } from '../../storage/sqlite-database.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { PASSWORD, SECRET } from '../../support/service.ts';
import { openNode } from './stage.ts';

/** The facts about a store that was made by `stores-before/make.mjs` with that release. */
interface Before {
  readonly at: string;
  readonly account_id: string;
  readonly access_token: string;
  readonly key_id: string;
  readonly key: string;
  readonly agent_id: string;
  readonly approval_id: string;
}

const CRED = { email: 'ann@example.com', password: PASSWORD };
/** The schema and the namespace in which the stores were made. */
const MADE_IN = 'ais_before';
const facts = JSON.parse(read('facts.json')) as Readonly<Record<'sqlite' | 'postgres' | 'redis', Before>>;

function read(name: string): string {
  return readFileSync(new URL(`stores-before/${name}`, import.meta.url), 'utf8');
}

/** The texts of a store as if it had been made now: sessions and approvals end, by the clocks of the servers. */
function sinceThen({ at }: Before, text: string): string {
  const later = (ms: number) => ms + Date.now() - Date.parse(at);
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (iso) =>
      new Date(later(Date.parse(iso))).toISOString(),
    )
    .replaceAll(/(?<!\d)00\d{13}(?!\d)/g, (ms) => `${later(Number(ms))}`.padStart(15, '0'));
}

/** Opens the store for two nodes of this release. */
type Restore = () => Promise<readonly [StorageAdapter, StorageAdapter]>;

async function fromSqlite(): ReturnType<Restore> {
  const folder = await mkdtemp(join(tmpdir(), 'ais-before-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'a.db');
  const text = sinceThen(facts.sqlite, read('sqlite.sql'));
  await withDatabase(libraries[0] ?? 'libsql', file, (connection) => {
    for (const statement of text.split(/;\n/)) if (statement !== '') connection.run(statement);
  });
  return [await sqliteStorage({ file }), await sqliteStorage({ file })];
}

async function fromPostgres(): Promise<Restore> {
  const server = administer();
  afterAll(() => server.end());
  return async () => {
    const url = await server.newSchema();
    const text = read('postgres.sql').replaceAll(`${MADE_IN}.`, `${schemaOf(url)}.`);
    await server.query(sinceThen(facts.postgres, text));
    return [await openSchema(url), await openSchema(url)];
  };
}

async function fromRedis(): Promise<Restore> {
  const client = await connectClient();
  const namespace = newNamespace();
  afterAll(async () => {
    await dropNamespace(client, namespace);
    client.destroy();
  });
  return async () => {
    const text = read('redis.json').replaceAll(`{${MADE_IN}}`, `{${namespace}}`);
    for (const command of JSON.parse(sinceThen(facts.redis, text)) as readonly string[][])
      await client.sendCommand(command.map((part) => Buffer.from(part, 'latin1')) as never);
    const open = () => redisStorage({ url: SERVER, namespace, timeoutMs: PATIENT_MS });
    return [await open(), await open()];
  };
}

const stores: (readonly [name: string, before: Before, restore: Restore])[] = [
  ['SQLite', facts.sqlite, fromSqlite],
];
if (await hasPostgres()) stores.push(['PostgreSQL', facts.postgres, await fromPostgres()]);
if (await hasRedis()) stores.push(['Redis', facts.redis, await fromRedis()]);

test.each(stores)('on %s it goes on', async (_, before, restore) => {
  const { account_id, key_id, key, agent_id, approval_id } = before;
  const founder = founderOf(account_id);
  const storages = await restore();
  const [first, second] = storages;
  onTestFinished(async () => {
    for (const storage of storages) await storage.close();
  });
  const [one, two] = [openNode(first), openNode(second)];

  const token = await renewed(before);
  const caller = await one.authenticateSession(token);
  expect(caller).toMatchObject({ account_id, member_id: founder, role: 'owner' });
  expect((await one.keys.list({ created_by: founder }, caller)).data).toMatchObject([{ id: key_id }]);
  expect(await one.passports.get(agent_id, caller)).toMatchObject({
    ...{ status: 'active', version: 2, description: 'buys paper', approval: { actions: ['orders.get'] } },
  });
  const { data: versions } = await one.passports.versions(agent_id, {}, caller);
  expect(versions.map(({ changed_by }) => changed_by)).toEqual([account_id, account_id]);
  const intent = { agent_id, action: 'orders.get' };
  expect((await two.verifyAs(key, intent)).reasons[0]).toMatchObject({ approval_id });
  expect(await one.approvals.approve(approval_id, {}, caller)).toMatchObject({
    ...{ status: 'approved', decided_by: founder, needed: 1, kind: 'intent' },
  });
  expect((await two.verifyAs(key, { ...intent, approval_id })).verdict).toBe('ALLOW');
  // Until now nothing has touched its people.
  expect(await second.list('members', { where: { account_id }, limit: 1 })).toEqual([]);
  expect((await two.login(CRED)).token_type).toBe('bearer');
  expect((await one.members.list({}, caller)).data).toMatchObject([{ id: founder, role: 'owner' }]);
  expect(await first.get('accounts', account_id)).toMatchObject({ password_hash: '' });
  expect(await two.authenticateSession(token)).toMatchObject({ member_id: founder });
  expect((await one.account(caller)).usage).toMatchObject({ members: 1, active_keys: 1, passports: 1 });
  const changed = await one.passports.update(agent_id, { description: 'buys ink' }, caller);
  expect(changed).toMatchObject({ version: 3 });
});

/** The token of the release before, which is valid to this one, with instants of today. */
async function renewed({ at, account_id, access_token }: Before): Promise<string> {
  const name = 'agent-identity-service';
  const parts = { secret: SECRET, issuer: name, audience: name };
  const then = sessionTokens({ ...parts, clock: { now: () => Date.parse(at) } });
  const claims = await then.read(access_token);
  if (claims === undefined) throw new Error('The token of the release before is not valid.');
  expect(claims.account_id).toBe(account_id);
  return sessionTokens({ ...parts, clock: Date }).issue(claims);
}
