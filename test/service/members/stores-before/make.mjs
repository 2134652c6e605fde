/**
 * Makes the stores of this folder by the build of an older release: `node make.mjs <folder of the release>`. Needs
 * sqlite3, pg_dump, and the servers of the tests. Those that are committed are of the last commit before members.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const release = resolve(process.argv[2] ?? '.');
const { PG_URL = 'postgres://root@127.0.0.1:5432/test', REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;
const NAME = 'ais_before';
const door = (name) => import(pathToFileURL(join(release, 'dist', name)).href);
const require = createRequire(join(release, 'package.json'));
const { createIdentityService } = await door('index.js');
const { postgresStorage, sqliteStorage } = await door('storage/sql.js');
const { redisStorage } = await door('storage/redis.js');

const facts = {};
await makeSqlite();
await makePostgres();
await makeRedis();
write('facts.json', `${JSON.stringify(facts, null, 2)}\n`);

/** Does with the release what an account does, and says what its people and programs hold. */
async function fill(storage) {
  const session = { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' };
  const service = createIdentityService({ storage, session });
  const [email, password] = ['ann@example.com', 'Ein-Gutes-Kennwort-7'];
  const { id: account_id } = await service.accounts.create({ email, password });
  const { access_token } = await service.login({ email, password });
  const ann = await service.authenticateSession(access_token);
  const key = await service.keys.create({ name: 'till' }, ann);
  const passport = {
    ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.get'] },
    ...{ monetary_limit_per_txn: 10, approval: { actions: ['orders.get'], seconds: 604_800 } },
  };
  const { agent_id } = await service.passports.create(passport, ann);
  await service.passports.update(agent_id, { description: 'buys paper' }, ann);
  const { reasons } = await service.verifyAs(key.key, { agent_id, action: 'orders.get' });
  const { approval_id } = reasons[0];
  const at = new Date().toISOString();
  await service.close();
  return { at, account_id, access_token, key_id: key.id, key: key.key, agent_id, approval_id };
}

async function makeSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'ais-before-'));
  const file = join(folder, 'a.db');
  facts.sqlite = await fill(await sqliteStorage({ file }));
  write('sqlite.sql', execFileSync('sqlite3', [file, '.dump'], { encoding: 'utf8' }));
  rmSync(folder, { recursive: true });
}

async function makePostgres() {
  const { Pool } = require('pg');
  const pool = new Pool({ connectionString: PG_URL });
  await pool.query(`drop schema if exists ${NAME} cascade; create schema ${NAME}`);
  const url = new URL(PG_URL);
  url.searchParams.set('options', `-c search_path=${NAME}`);
  facts.postgres = await fill(await postgresStorage({ url: url.href }));
  const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments', `--schema=${NAME}`];
  const text = execFileSync('pg_dump', [...options, PG_URL], { encoding: 'utf8' });
  // Settings of the session, which are those of its own restore, and words of psql.
  const lines = text
    .split('\n')
    .filter((line) => !/^(?:SET |--|\\|SELECT pg_catalog\.set_config|CREATE SCHEMA|$)/.test(line));
  write('postgres.sql', `${lines.join('\n')}\n`);
  await pool.query(`drop schema ${NAME} cascade`);
  await pool.end();
}

async function makeRedis() {
  const { createClient } = require('@keyv/redis');
  const client = createClient({ url: REDIS_URL });
  await client.connect();
  facts.redis = await fill(await redisStorage({ url: REDIS_URL, namespace: NAME }));
  // A text of bytes, so that blocks of verdicts pass.
  const bytes = client.withTypeMapping({ 36: Buffer, 43: Buffer });
  const ask = async (...command) => bytes.sendCommand(command);
  const textOf = (value) => Buffer.from(value).toString('latin1');
  const READS = {
    string: (key) => [
      ['SET', key],
      ['GET', key],
    ],
    hash: (key) => [
      ['HSET', key],
      ['HGETALL', key],
    ],
    set: (key) => [
      ['SADD', key],
      ['SMEMBERS', key],
    ],
    list: (key) => [
      ['RPUSH', key],
      ['LRANGE', key, '0', '-1'],
    ],
    zset: (key) => [
      ['ZADD', key],
      ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
    ],
  };
  const commands = [];
  const keys = (await ask('KEYS', `{${NAME}}:*`)).map(textOf).sort();
  for (const key of keys) {
    const type = `${await client.sendCommand(['TYPE', key])}`;
    const [put, read] = READS[type](key);
    const values = [await ask(...read)].flat().map(textOf);
    const pairs = type === 'zset' ? values.map((_, at) => values[at % 2 === 0 ? at + 1 : at - 1]) : values;
    commands.push([...put, ...pairs]);
  }
  write('redis.json', `[\n${commands.map((command) => JSON.stringify(command)).join(',\n')}\n]\n`);
  for (const key of keys) await client.sendCommand(['UNLINK', key]);
  client.destroy();
}

function write(name, text) {
  writeFileSync(new URL(name, import.meta.url), text);
}
