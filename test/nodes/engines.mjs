/** The engines under proof: a server of our own for each, and what the proofs do to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, startRedis } from '../support/private-servers.mjs';

/** Between two cuts of the channel. */
const TEAR_MS = 20;

/** Proofs count every verdict: none leaves because there are too many. */
const JOURNAL_CAP = 100_000_000;

const START = { postgres: startPostgres, redis: startRedis };

/** The engines that several nodes can share, and all that survive a crash. */
export const SHARED = Object.keys(START);
export const DURABLE = [...SHARED, 'sqlite'];

/** An empty engine: `url` is what `--storage` takes; `server` is absent where there is none. */
export async function openEngine(name) {
  if (name === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'ais-nodes-'));
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return { name, url: `sqlite:${join(folder, 'agents.db')}`, server: undefined, remove };
  }
  const server = await START[name]();
  return { name, url: server.url, server, remove: server.remove };
}

/** The storage that a URL names, as `serve` opens it; `options` are those of servers, such as `timeoutMs`. */
export async function openStorage(url, options = {}) {
  const scheme = /^[a-z]+/.exec(url)?.[0];
  if (scheme === 'redis') {
    const { redisStorage } = await import('../../dist/storage/redis.js');
    return redisStorage({ url, journalCap: JOURNAL_CAP, ...options });
  }
  const { postgresStorage, sqliteStorage } = await import('../../dist/storage/sql.js');
  return scheme === 'sqlite' ? sqliteStorage({ file: url.slice(7) }) : postgresStorage({ url, ...options });
}

/** Cuts the connections over which nodes hear of changes, again and again; `stop` gives back how many it cut. */
export async function tearChannel({ name, url }) {
  const { cut, close } = await (name === 'postgres' ? cutPostgres(url) : cutRedis(url));
  let isOver = false;
  const cuts = (async () => {
    for (let count = 0; ; await pause(TEAR_MS)) {
      if (isOver) return count;
      count += await cut();
    }
  })();
  return {
    async stop() {
      isOver = true;
      const count = await cuts;
      await close();
      return count;
    },
  };
}

async function cutPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  // A cut that fails says so itself.
  client.on('error', () => {});
  await client.connect();
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'agent-identity-service changes'`;
  return { cut: async () => (await client.query(text)).rowCount, close: () => client.end() };
}

async function cutRedis(url) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let waiting;
  socket.on('data', (text) => waiting?.resolve(Number(text.toString('latin1').slice(1))));
  socket.on('error', (error) => waiting?.reject(error));
  return {
    cut: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write('CLIENT KILL TYPE pubsub\r\n');
      }),
    close: async () => socket.destroy(),
  };
}
