/** The engines, each with stores of any size that do not know of each other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentOf, passportOf } from './records.mjs';

export const ENGINES = ['memory', 'sqlite', 'postgres', 'redis'];

/** Passports in one write, and writes under way at once, while a store is filled. */
const PER_WRITE = 500;
const AT_ONCE = 4;
const PATIENT_MS = 60_000;

/**
 * @typedef {object} Filled
 * @property {any} storage with `size` passports in it
 * @property {number} size
 * @property {string} place where another connection finds it
 * @property {Map<string, object>} [bare] of memory alone: as many records without a storage around them
 */

/** An engine; `tell` hears of the progress. `close` removes everything that was made. */
export async function openEngine(name, tell) {
  const closers = [];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const openStore = await OPENERS[name](closers);
    return {
      name,
      close,
      /** A new store with so many passports. @returns {Promise<Filled>} */
      async openFilled(size) {
        const opened = await openStore(size);
        closers.push(() => opened.storage.close());
        await fill(opened.storage, size, (done) => tell(`${name}: ${done} of ${size} passports`));
        return { ...opened, size };
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const OPENERS = {
  async memory() {
    const { memoryStorage } = await import('../../dist/storage/memory.js');
    return async (size) => ({ storage: memoryStorage(), place: '', bare: bareMap(size) });
  },

  async sqlite(closers) {
    const { sqliteStorage } = await import('../../dist/storage/sql.js');
    const folder = mkdtempSync(join(tmpdir(), 'ais-cost-'));
    closers.push(() => rmSync(folder, { recursive: true, force: true }));
    return async (size) => {
      const place = join(folder, `${size}.db`);
      return { storage: await sqliteStorage({ file: place }), place };
    };
  },

  async postgres(closers) {
    const { postgresStorage } = await import('../../dist/storage/sql.js');
    const { startPostgres } = await import('../../test/support/private-servers.mjs');
    const { default: pg } = await import('pg');
    const server = await startPostgres({ options: { shared_buffers: '512MB', max_wal_size: '8GB' } });
    closers.push(() => server.remove());
    return async (size) => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create schema of_${size}`);
      await client.end();
      const url = new URL(server.url);
      url.searchParams.set('options', `-c search_path=of_${size}`);
      return { storage: await postgresStorage({ url: url.href, timeoutMs: PATIENT_MS }), place: url.href };
    };
  },

  async redis(closers) {
    const { redisStorage } = await import('../../dist/storage/redis.js');
    const { startRedis } = await import('../../test/support/private-servers.mjs');
    // A rewrite of the log would fork a server of gigabytes in the middle of a round.
    const server = await startRedis({ options: { 'auto-aof-rewrite-percentage': '0' } });
    closers.push(() => server.remove());
    return async (size) => {
      const namespace = `of-${size}`;
      return {
        storage: await redisStorage({ url: server.url, namespace, timeoutMs: PATIENT_MS }),
        place: server.url,
      };
    };
  },
};

function bareMap(size) {
  return new Map(Array.from({ length: size }, (_, index) => [agentOf(index), { version: index }]));
}

async function fill(storage, size, tell) {
  let next = 0;
  let told = 0;
  const worker = async () => {
    while (next < size) {
      const first = next;
      next = Math.min(size, first + PER_WRITE);
      const numbers = Array.from({ length: next - first }, (_, index) => first + index);
      const inserts = numbers.map((index) => ({
        op: 'insert',
        collection: 'passports',
        record: passportOf(index),
      }));
      const { written } = await storage.write(inserts);
      if (!written) throw new Error('A passport was there already.');
      if (next - told < 100_000 && (next < size || told === size)) continue;
      told = next;
      tell(told);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
