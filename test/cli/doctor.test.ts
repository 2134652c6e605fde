import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examine } from '../../adapters/cli/doctor/examine.ts';
import type { Finding } from '../../adapters/cli/doctor/finding.ts';
import {
  clockFinding,
  countRecords,
  probeClock,
  probeReading,
  probeWriting,
} from '../../adapters/cli/doctor/probe.ts';
import { readStorageUrl } from '../../adapters/cli/input/storage-url.ts';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { postgresStorage, sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { allMigrations, type Migration } from '../../adapters/storage/sql/migrations.ts';
import type { StorageAdapter } from '../../src/index.ts';
import { administer, hasPostgres } from '../storage/postgres-database.ts';
import { hasRedis, keysOf } from '../storage/redis-server.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startRedis } from '../support/private-servers.mjs';
import { GIVEN, openFolder, snapshot, startServe } from '../support/process.ts';
import { openService, SECRET } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

let folder: string;
let remove: () => void;
let secretFile: string;

beforeAll(() => {
  ({ folder, remove } = openFolder());
  secretFile = join(folder, 'secret');
  writeFileSync(secretFile, SECRET, { mode: 0o600 });
});
afterAll(() => remove());

/** What `doctor` says of a storage, by the name of the check. */
async function diagnose(url: string): Promise<Readonly<Record<string, Finding>>> {
  const found = await examine({ version: '0.0.0', place: readStorageUrl(url), secretFile });
  expect(JSON.stringify(found)).not.toContain(SECRET);
  for (const { status, action } of found) expect(action === undefined).toBe(status === 'ok');
  return Object.fromEntries(found.map((finding) => [finding.check, finding]));
}

const statuses = (found: Readonly<Record<string, Finding>>) =>
  Object.fromEntries(Object.entries(found).map(([check, { status }]) => [check, status]));

/** With an account, a passport and a key in it. */
async function fill(storage: StorageAdapter): Promise<void> {
  const { service } = openService({ storage });
  const { id } = await service.accounts.create({
    email: 'ada@example.com',
    password: 'Ein-Gutes-Kennwort-7',
  });
  const passport = { domain: 'example.com', agent_name: 'a', allowed_actions: [], monetary_limit_per_txn: 1 };
  await service.passports.create(passport, { account_id: id });
  await service.keys.create({ name: 'k' }, { account_id: id });
  await service.close();
}

const STARTED = { version: 'ok', runtime: 'ok', storage: 'ok', secret: 'ok' };
const SERVER = { servers: 'ok', commands: 'ok' };
const WELL = { identity: 'ok', clock: 'ok', reading: 'ok', writing: 'ok', records: 'ok', subjects: 'ok' };
const ONE_OF_EACH = 'accounts: 1, passports: 1, keys: 1.';

let files = 0;

function newFile(): string {
  files += 1;
  const place = join(folder, `${files}`);
  mkdirSync(place);
  return join(place, 'a.db');
}

describe('a SQLite file', () => {
  test('that is sound is reported as sound, and no byte of it changes', async () => {
    const file = newFile();
    await fill(await sqliteStorage({ file }));
    const before = snapshot(join(file, '..'));
    const found = await diagnose(`sqlite:${file}`);
    expect(statuses(found)).toEqual({ ...STARTED, schema: 'ok', ...WELL, durability: 'ok' });
    expect(found['records']?.detail).toBe(ONE_OF_EACH);
    expect(snapshot(join(file, '..'))).toEqual(before);
  });

  test('that was used with a signing secret fails without it', async () => {
    const file = newFile();
    const opened = openService({ storage: await sqliteStorage({ file }) });
    await opened.service.health();
    const findings = await examine({ version: '0.0.0', place: readStorageUrl(`sqlite:${file}`) });
    expect(findings).toContainEqual(expect.objectContaining({ check: 'secret', status: 'fail' }));
  });

  test('whose verdicts name people by their e-mail is a warning, which does not show them', async () => {
    const file = newFile();
    await fill(await sqliteStorage({ file }));
    const { service } = openService({ storage: await sqliteStorage({ file }) });
    const agent_id = 'did:web:example.com:agents:a';
    const { data } = await service.accounts.list();
    for (const account_id of data.map(({ id }) => id))
      await service.verify({ agent_id, action: 'a', subject: 'ann@example.com' }, { account_id });
    await service.close();
    const { subjects } = await diagnose(`sqlite:${file}`);
    expect(subjects).toMatchObject({ status: 'warn', action: expect.stringContaining('opaque id') });
    expect(JSON.stringify(subjects)).not.toContain('ann@');
  });

  test('that is missing, empty or no database fails, and is not made', async () => {
    const file = newFile();
    for (const content of [undefined, '', 'This is no database. '.repeat(100)]) {
      if (content !== undefined) writeFileSync(file, content);
      const before = snapshot(join(file, '..'));
      expect(statuses(await diagnose(`sqlite:${file}`))).toEqual({ ...STARTED, schema: 'fail' });
      expect(snapshot(join(file, '..'))).toEqual(before);
    }
  });

  test('of an older release is a warning, and is not migrated', async () => {
    const file = newFile();
    await (await sqliteStorage({ file })).close();
    const before = snapshot(join(file, '..'))['a.db'];
    const { length } = allMigrations;
    // As in a release with one more.
    (allMigrations as Migration[]).push({ additive: true });
    const found = await diagnose(`sqlite:${file}`).finally(() => (allMigrations as Migration[]).pop());
    expect(found['schema']).toMatchObject({
      status: 'warn',
      detail: `The tables are of version ${length}; this release makes version ${length + 1}.`,
    });
    expect(found).not.toHaveProperty('writing');
    expect(snapshot(join(file, '..'))['a.db']).toBe(before);
  });

  test('without a version of its tables fails, and stays as it is', async () => {
    const file = newFile();
    const { default: Libsql } = await import('libsql');
    const database = new Libsql(file);
    database.exec(`create table ais_meta (name text, value text);
      insert into ais_meta values ('tables_version', '9'), ('oldest_usable', '9')`);
    database.close();
    const before = snapshot(join(file, '..'));
    const found = await diagnose(`sqlite:${file}`);
    expect(statuses(found)).toEqual({ ...STARTED, reach: 'fail' });
    expect(found['reach']?.detail).toContain('names no version');
    expect(snapshot(join(file, '..'))).toEqual(before);
  });

  test('that another process writes to for long cannot be written', async () => {
    const file = newFile();
    await fill(await sqliteStorage({ file }));
    const holder = await sqliteStorage({ file });
    const busy = await sqliteStorage({ file, busyTimeoutMs: 0 });
    const { default: Libsql } = await import('libsql');
    const lock = new Libsql(file);
    lock.exec('begin immediate');
    expect(await probeWriting(busy)).toMatchObject({ check: 'writing', status: 'fail' });
    expect(await probeReading(busy)).toMatchObject({ status: 'ok' });
    lock.exec('rollback');
    lock.close();
    await Promise.all([holder.close(), busy.close()]);
  });
});

describe.skipIf(!(await hasPostgres()))('a PostgreSQL database', () => {
  const administration = administer();
  afterAll(() => administration.end());

  test('that is sound is reported as sound, and nothing in it changes', async () => {
    const url = await administration.newSchema();
    await fill(await postgresStorage({ timeoutMs: PATIENT_MS, url }));
    const contents = async () => {
      const client = new pg.Client(url);
      await client.connect();
      const { rows } = await client.query(
        'select * from ais_accounts, ais_domains, ais_meta order by ais_meta.name',
      );
      const counters = await client.query('select * from ais_counters order by id');
      await client.end();
      return JSON.stringify([rows, counters.rows]);
    };
    const before = await contents();
    const found = await diagnose(url);
    expect({ ...statuses(found), durability: 'any' }).toEqual({
      ...STARTED,
      schema: 'ok',
      ...WELL,
      durability: 'any',
    });
    expect(found['records']?.detail).toBe(ONE_OF_EACH);
    expect(await contents()).toBe(before);
  });

  test('without tables, without a server, and without a table fails', async () => {
    const url = await administration.newSchema();
    expect(statuses(await diagnose(url))).toEqual({ ...STARTED, schema: 'fail' });
    const nowhere = await diagnose('postgres://ada:Hinter-Zwei@127.0.0.1:1/none');
    expect(statuses(nowhere)).toEqual({ ...STARTED, reach: 'fail' });
    expect(JSON.stringify(nowhere)).not.toContain('Hinter');
    await (await postgresStorage({ timeoutMs: PATIENT_MS, url })).close();
    const client = new pg.Client(url);
    await client.connect();
    await client.query('drop table ais_passports');
    const found = await diagnose(url);
    expect(found['reading']).toMatchObject({ status: 'fail', detail: expect.stringContaining('passports') });
    await client.query(`delete from ais_meta where name = 'marker'`);
    expect(statuses(await diagnose(url))).toEqual({ ...STARTED, schema: 'ok', identity: 'fail' });
    await client.end();
  });
});

describe.skipIf(!(await hasRedis()))('a Redis server', () => {
  test('that is sound, empty, without its identity, or gone is reported as that', async () => {
    const server = await startRedis();
    const client = createClient({ url: server.url });
    client.on('error', () => {});
    await client.connect();
    try {
      expect(statuses(await diagnose(server.url))).toEqual({ ...STARTED, ...SERVER, identity: 'fail' });
      expect(await client.sendCommand(['DBSIZE'])).toBe(0);
      await fill(await redisStorage({ timeoutMs: PATIENT_MS, url: server.url }));
      const digest = async () => {
        const keys = [...(await keysOf(client, 'agent-identity'))].sort();
        return Promise.all(keys.map(async (key) => [key, await client.sendCommand(['DUMP', key])]));
      };
      const before = await digest();
      const found = await diagnose(server.url);
      expect(statuses(found)).toEqual({ ...STARTED, ...SERVER, ...WELL, durability: 'ok' });
      expect(found['records']?.detail).toBe(ONE_OF_EACH);
      expect(await digest()).toEqual(before);
      await client.sendCommand(['DEL', '{agent-identity}:marker']);
      expect(statuses(await diagnose(server.url))).toEqual({ ...STARTED, ...SERVER, identity: 'fail' });
    } finally {
      client.destroy();
      await server.remove();
    }
    expect(statuses(await diagnose(server.url))).toEqual({ ...STARTED, reach: 'fail' });
  });
});

describe('a storage', () => {
  test('in memory works, and is a warning', async () => {
    const found = await diagnose('memory:');
    expect(statuses(found)).toEqual({
      ...{ ...STARTED, storage: 'warn', durability: 'warn' },
      ...{ reading: 'ok', writing: 'ok', records: 'ok', subjects: 'ok' },
    });
  });

  test('that rejects fails each of its checks, with the reason and without the password of a URL in it', async () => {
    const storage = probe();
    storage.fail = () => Promise.reject(new Error('no redis://ada:Hinter-Zwei@db today'));
    for (const check of [probeReading, probeWriting, probeClock, countRecords]) {
      const { status, detail } = await check(storage);
      expect([status, detail]).toEqual(['fail', expect.stringContaining('redis://***@db today')]);
    }
  });

  test.each([
    [5_000, 'ok'],
    [-5_000, 'ok'],
    [5_001, 'fail'],
    [-5_001, 'fail'],
  ])('whose clock differs by %i ms is %s', (offset, status) => {
    expect(clockFinding(offset, 'the storage').status).toBe(status);
  });
});

test('doctor works beside a running server: a line for each check, or JSON, and the exit code', async () => {
  const options = { cwd: join(folder, 'served'), env: GIVEN };
  mkdirSync(options.cwd);
  const served = await startServe(options);
  const text = await run(['doctor'], options);
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toMatch(/^(ok {4}[a-z]+ +\S[^\n]*\n){12}$/);
  const json = await run(['doctor', '--json'], options);
  expect(JSON.parse(json.stdout)).toMatchObject({ status: 'ok', findings: { length: 12 } });
  expect((await served.stop()).code).toBe(0);
  const unset = await run(['doctor', '--storage', 'memory:'], { cwd: options.cwd });
  expect(unset.code).toBe(1);
  expect((await run(['doctor', '--storage', 'sqlite:./none.db'], options)).code).toBe(2);
  expect((await run(['doctor', '--storage', 'none'], options)).code).toBe(2);
});

test('a command on a storage writes its change to stderr if AGENT_IDENTITY_LOG is json', async () => {
  const options = { cwd: join(folder, 'commands'), env: { ...GIVEN, AGENT_IDENTITY_LOG: 'json' } };
  mkdirSync(options.cwd);
  const { stderr } = await run(['account', 'create', 'ada@example.com'], options);
  expect(JSON.parse(stderr)).toMatchObject({
    event: 'account.created',
    by: 'operator',
    at: expect.any(String),
  });
  const key = await run(['key', 'create', 'till', '--json'], options);
  const made = JSON.parse(key.stdout);
  expect(JSON.parse(key.stderr)).toMatchObject({ event: 'key.created', by: 'operator', key_id: made.id });
  expect(key.stderr).not.toContain(made.key);
});
