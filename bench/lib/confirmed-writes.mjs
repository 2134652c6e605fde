/**
 * Compares writes of Redis that wait for a replica with writes that do not. Also measures a start with unreachable
 * addresses.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './server-process.mjs';
import { median, quantile, ratios } from './stats.mjs';
import { column } from './table.mjs';
import { target } from './target.mjs';

const IN_FLIGHT = 64;
const DEAD = 2;
const TIMEOUT_MS = 10_000;
const COLUMNS = [
  column('p50', 'p50 of calls', 'ns'),
  column('perSecond', 'operations', 'per s'),
  column('ratio', 'x without', 'x'),
];

/**
 * Measures the writes, which insert a new id each through `insertOf`, in alternation within each round. Then it
 * measures the starts. It starts its own servers, and rejects if Redis is not installed.
 */
export async function confirmedWrites({ isQuick, rounds, report, insertOf }) {
  const { redisStorage } = await import('agent-identity-service/storage/redis');
  const servers = await startServers();
  try {
    const writes = await measureWrites({ isQuick, rounds, report, insertOf, redisStorage, servers });
    const starts = await measureStarts({ isQuick, rounds, report, redisStorage, servers });
    const [without, confirmed] = writes;
    const ratio = median(ratios(confirmed.perRound, without.perRound));
    const later = Math.max(0, starts.dead - starts.alive);
    return {
      table: {
        title: `Storage: redis with a replica, ${IN_FLIGHT} writes at a time`,
        note: 'A primary and a replica of their own, without a disk. A start finds the primary by Sentinels.',
        columns: COLUMNS,
        rows: [
          rowOf('write', without, 1),
          rowOf('write that a replica confirms', confirmed, ratio),
          { name: 'start', p50: starts.alive * 1e6, perSecond: 1e3 / starts.alive, ratio: 1 },
          {
            name: `start, beside ${DEAD} dead addresses`,
            ...{ p50: starts.dead * 1e6, perSecond: 1e3 / starts.dead, ratio: starts.dead / starts.alive },
          },
        ],
      },
      targets: [
        target(`a confirmed write / one that waits for no replica, ${IN_FLIGHT} at a time`, ratio, {
          atLeast: 0.6,
        }),
        target(`a start beside ${DEAD} dead addresses - without`, later * 1e6, {
          ...{ atMost: 700e6, unit: 'ns' },
        }),
      ],
    };
  } finally {
    await servers.remove();
  }
}

function rowOf(name, { samples, perRound }, ratio) {
  return { name, p50: quantile(samples, 0.5), perSecond: median(perRound), ratio };
}

async function measureWrites({ isQuick, rounds, report, insertOf, redisStorage, servers }) {
  const count = isQuick ? 200 : 5_000;
  const kinds = [0, 1].map((replicas) => ({ replicas, samples: [], perRound: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    report(`confirmed writes: round ${round} of ${rounds}`);
    for (const kind of round % 2 === 0 ? kinds : [...kinds].reverse()) {
      const url = `redis://127.0.0.1:${servers.primary}?replicas=${kind.replicas}`;
      const storage = await redisStorage({ url, timeoutMs: TIMEOUT_MS });
      let next = 0;
      const samples = [];
      const caller = async () => {
        for (; next < count; ) {
          const change = insertOf(`confirmed-${kind.replicas}-${round}-${next++}`);
          const startedAt = performance.now();
          await storage.write([change]);
          samples.push((performance.now() - startedAt) * 1e6);
        }
      };
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
      const seconds = (performance.now() - startedAt) / 1e3;
      await storage.close();
      if (round === 0) continue;
      for (const sample of samples) kind.samples.push(sample);
      kind.perRound.push(count / seconds);
    }
  }
  return kinds;
}

async function measureStarts({ isQuick, rounds, report, redisStorage, servers }) {
  const dead = await Promise.all(Array.from({ length: DEAD }, listenInSilence));
  const starts = isQuick ? 1 : 5;
  const found = { alive: [], dead: [] };
  const alive = `127.0.0.1:${servers.sentinel}`;
  const places = { alive, dead: [...dead.map(({ port }) => `127.0.0.1:${port}`), alive].join(',') };
  for (let round = 0; round <= rounds * starts; round += 1) {
    report(`starts: ${round} of ${rounds * starts}`);
    for (const [kind, place] of Object.entries(places)) {
      const startedAt = performance.now();
      const storage = await redisStorage({ url: `redis://${place}?sentinel=bench`, timeoutMs: TIMEOUT_MS });
      if (round > 0) found[kind].push(performance.now() - startedAt);
      await storage.close();
    }
  }
  for (const { close } of dead) close();
  return { alive: median(found.alive), dead: median(found.dead) };
}

/** Starts a server that accepts connections and never answers. */
async function listenInSilence() {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Starts a primary, a replica and a Sentinel on free ports of this machine. */
async function startServers() {
  const folder = mkdtempSync(join(tmpdir(), 'ais-bench-redis-'));
  const children = [];
  const [primary, replica, sentinel] = [await freePort(), await freePort(), await freePort()];
  const start = async (args) => {
    const child = spawn('redis-server', args, { cwd: folder, stdio: 'ignore' });
    await once(child, 'spawn');
    children.push(child);
  };
  const remove = async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(
      children.map((child) => child.exitCode === null && child.signalCode === null && once(child, 'exit')),
    );
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const common = ['--bind', '127.0.0.1', '--save', '', '--repl-diskless-sync-delay', '0'];
    await start(['--port', `${primary}`, ...common]);
    await start([
      '--port',
      `${replica}`,
      '--dbfilename',
      'replica.rdb',
      ...common,
      '--replicaof',
      '127.0.0.1',
      `${primary}`,
    ]);
    const file = join(folder, 'sentinel.conf');
    writeFileSync(file, `port ${sentinel}\nbind 127.0.0.1\nsentinel monitor bench 127.0.0.1 ${primary} 1\n`);
    await start([file, '--sentinel']);
    await untilOpen({ primary, sentinel });
    return { primary, sentinel, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Waits until a storage can be opened through the Sentinel, because then the replica follows the primary. */
async function untilOpen({ sentinel }) {
  const { redisStorage } = await import('agent-identity-service/storage/redis');
  for (let tries = 0; ; tries += 1) {
    try {
      const url = `redis://127.0.0.1:${sentinel}?sentinel=bench&replicas=1`;
      return await (await redisStorage({ url, timeoutMs: 1_000 })).close();
    } catch (error) {
      if (tries === 100) throw error;
      await pause(100);
    }
  }
}
