/** A private Redis behind the proxy, with all that can be done to it. */
import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@keyv/redis';
import { redisStorage } from '../../../dist/storage/redis.js';
import { startRedis } from '../../support/private-servers.mjs';
import { startProxy } from '../../support/tcp-proxy.mjs';
import { ACKNOWLEDGED_MS, MISSING, networkFaults } from '../network-faults.mjs';
import { closeAll } from '../resources.mjs';

/** Bulk strings as bytes: a dump is no text. */
const BYTES = { typeMapping: { 36: Buffer } };

/** The engine; see `postgres.mjs`. */
export async function openRedis() {
  const resources = [];
  try {
    const server = await startRedis();
    resources.push(() => server.remove());
    const proxy = await startProxy(server.port);
    resources.push(() => proxy.close());
    const storage = urlOf(proxy.port);
    return {
      name: 'redis',
      storage,
      isShared: true,
      openStorage: () => redisStorage({ url: storage }),
      faults: [
        olderCopy(server),
        ...networkFaults({
          proxy,
          server,
          own: {
            // What frees memory first, such as a revocation, may still be written.
            full: {
              apply: () => command(server.port, ['CONFIG', 'SET', 'maxmemory', '1']),
              undo: () => command(server.port, ['CONFIG', 'SET', 'maxmemory', '0']),
            },
            // The primary that it is told to follow does not exist: it keeps its data and takes no write.
            readOnly: {
              apply: () => command(server.port, ['REPLICAOF', '127.0.0.1', '1']),
              undo: () => command(server.port, ['REPLICAOF', 'NO', 'ONE']),
            },
            flushed: flushed(server),
            wrongDatabase: wrongDatabase(server, proxy, resources),
            failedOver: failedOver(server, proxy, resources),
          },
        }),
      ],
      close: () => closeAll(resources),
    };
  } catch (error) {
    await closeAll(resources);
    throw error;
  }
}

function urlOf(port) {
  return `redis://127.0.0.1:${port}`;
}

/** The primary starts on a copy of its own files that lacks the latest writes. */
function olderCopy({ folder, kill, restart }) {
  const [files, older, newer] = ['appendonlydir', 'older', 'newer'].map((name) => join(folder, name));
  return {
    name: 'an older copy restored',
    expected: MISSING,
    away: { verdicts: 'none', writes: 'none', ready: 'none' },
    lastsMs: 5_000,
    inQuick: false,
    async prepare() {
      cpSync(files, older, { recursive: true });
    },
    async apply() {
      // The load goes on meanwhile: both nodes acknowledge writes that the copy lacks.
      await pause(ACKNOWLEDGED_MS);
      await kill();
      renameSync(files, newer);
      renameSync(older, files);
      await restart();
    },
    async undo() {
      await kill();
      rmSync(files, { recursive: true });
      renameSync(newer, files);
      await restart();
    },
  };
}

/** In one step, so that no write is acknowledged which is not in the copy: a node would miss it. */
const COPY_AND_FLUSH = `
  local copies = {}
  for i, key in ipairs(redis.call('KEYS', '*')) do copies[i] = { key, redis.call('DUMP', key) } end
  redis.call('FLUSHALL')
  return copies`;

/** All keys are gone, and come back from a copy in one step. */
function flushed(server) {
  let copies;
  return {
    apply: () =>
      withClient(server.port, async (client) => {
        copies = await client.sendCommand(['EVAL', COPY_AND_FLUSH, '0'], BYTES);
      }),
    undo: () =>
      withClient(server.port, async (client) => {
        const all = client.multi();
        all.addCommand(['FLUSHALL']);
        for (const [key, dump] of copies ?? []) all.addCommand(['RESTORE', key, '0', dump]);
        await all.exec();
      }),
  };
}

function wrongDatabase(server, proxy, resources) {
  let other;
  return {
    async prepare() {
      other = await startRedis();
      resources.push(() => other.remove());
      await (await redisStorage({ url: urlOf(other.port) })).close();
    },
    apply: async () => proxy.switchTo(other.port),
    async undo() {
      proxy.switchTo(server.port);
      await other.remove();
    },
  };
}

/** A replica that has every write takes over at the same address. */
function failedOver(server, proxy, resources) {
  let replica;
  return {
    async prepare() {
      replica = await startRedis();
      resources.push(() => replica.remove());
      await command(replica.port, ['REPLICAOF', '127.0.0.1', `${server.port}`]);
      await until(async () => (await read(replica.port, 'master_link_status')) === 'up');
    },
    async apply() {
      // Replication runs behind the acknowledgement, and a node refuses a replica without an acknowledged write.
      await command(server.port, ['CLIENT', 'PAUSE', '30000', 'WRITE']);
      await until(async () => {
        const [ahead, behind] = [server, replica].map(({ port }) => read(port, 'master_repl_offset'));
        return (await ahead) === (await behind);
      });
      await server.kill();
    },
    async undo() {
      await command(replica.port, ['REPLICAOF', 'NO', 'ONE']);
      proxy.switchTo(replica.port);
    },
  };
}

async function read(port, field) {
  const text = await command(port, ['INFO', 'replication']);
  return new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(text)?.[1];
}

function command(port, words) {
  return withClient(port, (client) => client.sendCommand(words));
}

async function withClient(port, use) {
  const client = createClient({ url: urlOf(port) });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

async function until(holds) {
  const end = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('Redis did not do what it was told.');
    await pause(20);
  }
}
