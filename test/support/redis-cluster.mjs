/** A Redis Cluster of one's own, which ends with the process that started it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, startRedis } from './private-servers.mjs';
import { tellRedis, waitFor } from './redis-words.mjs';

const SLOTS = 16_384;

/** A new cluster that takes writes. See the declarations for what it can do. */
export async function startCluster({
  primaries = 3,
  replicas = 1,
  nodeTimeoutMs = 2_000,
  options = {},
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-cluster-'));
  const counts = Array.isArray(replicas) ? replicas : Array(primaries).fill(replicas);
  const shards = [
    ...Array.from({ length: primaries }, (_, shard) => shard),
    ...counts.flatMap((count, shard) => Array(count).fill(shard)),
  ];
  const nodes = [];
  for (const [at, shard] of shards.entries()) {
    const ports = { port: await freePort(), bus: await freePort() };
    nodes.push({ id: randomBytes(20).toString('hex'), ...ports, shard, isPrimary: at < primaries });
  }
  const lineOf = (node, self) => {
    const flags = [...(node === self ? ['myself'] : []), node.isPrimary ? 'master' : 'slave'].join(',');
    const { shard, isPrimary } = node;
    const first = Math.ceil((shard * SLOTS) / primaries);
    const last = Math.ceil(((shard + 1) * SLOTS) / primaries) - 1;
    const role = isPrimary
      ? `- 0 0 ${shard + 1} connected ${first}-${last}`
      : `${nodes[shard].id} 0 0 ${shard + 1} connected`;
    return `${node.id} 127.0.0.1:${node.port}@${node.bus} ${flags} ${role}`;
  };
  const servers = [];
  const remove = async () => {
    for (const server of servers) await server.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const started = await Promise.allSettled(
      nodes.map(async (node) => {
        const file = join(folder, `${node.port}.conf`);
        const vars = `vars currentEpoch ${primaries} lastVoteEpoch 0`;
        writeFileSync(file, [...nodes.map((other) => lineOf(other, node)), vars, ''].join('\n'));
        const server = await startRedis({
          port: node.port,
          options: {
            'cluster-enabled': 'yes',
            'cluster-config-file': file,
            'cluster-port': `${node.bus}`,
            'cluster-node-timeout': `${nodeTimeoutMs}`,
            'repl-diskless-sync-delay': '0',
            ...options,
          },
        });
        servers.push(server);
        return { ...server, id: node.id };
      }),
    );
    const failed = started.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const all = started.map(({ value }) => value);
    await waitFor('the cluster', async () => {
      const states = await Promise.all(all.map(({ port }) => tellRedis(port, ['CLUSTER', 'INFO'])));
      const infos = await Promise.all(all.map(({ port }) => tellRedis(port, ['INFO', 'replication'])));
      const isUp = (info) => /role:master/.test(info) || /master_link_status:up/.test(info);
      return states.every((state) => /cluster_state:ok/.test(state)) && infos.every(isUp);
    });
    return {
      url: `redis://${all.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      servers: all,
      primaryOf: async (key) => (await shardsOf(all, key)).own[0],
      shardsOf: (key) => shardsOf(all, key),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Returns the servers of the shard that has a key, and the servers of the other shards, each with its primary first.
 */
async function shardsOf(servers, key) {
  const slot = await askAny(servers, ['CLUSTER', 'KEYSLOT', key]);
  const ranges = await askAny(servers, ['CLUSTER', 'SLOTS']);
  const shards = ranges.map(([first, last, ...nodes]) => ({
    has: first <= slot && slot <= last,
    all: nodes.map(([, port]) => servers.find((server) => server.port === port)),
  }));
  const own = shards.find(({ has }) => has)?.all ?? [];
  return { own, others: shards.map(({ all }) => all).filter(([primary]) => primary !== own[0]) };
}

async function askAny(servers, words) {
  for (let tries = 0; ; tries += 1) {
    const { port } = servers[tries % servers.length];
    try {
      return await tellRedis(port, words);
    } catch (error) {
      if (tries > 2 * servers.length) throw error;
      await pause(20);
    }
  }
}
