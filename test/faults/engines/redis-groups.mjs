/** Servers of Redis that fail over by themselves: a cluster, and a primary with replicas behind Sentinels. */
import { redisStorage } from '../../../dist/storage/redis.js';
import { startRedis } from '../../support/private-servers.mjs';
import { startCluster } from '../../support/redis-cluster.mjs';
import { startSentinel, startWatched } from '../../support/redis-sentinel.mjs';
import { tellRedis } from '../../support/redis-words.mjs';
import { mostPrimariesLost, sentinelsLost, slotMoves } from './redis-group-faults.mjs';
import { olderCopyPromoted, unconfirmed } from './redis-losses.mjs';
import { followed, followersOf, KEY, LASTS_MS, promotedBeside, REPLICAS } from './redis-primaries.mjs';

/** Long enough to be seen, short enough for a row of 10 s. */
const DOWN_AFTER_MS = 2_000;
/** Longer than a server needs to start on other files. */
const HELD_MS = 30_000;
const EXPECTED = 'right answers or 503; no acknowledged write is lost; well after the promotion';

/** A cluster whose shards have two replicas, except one that has none and only votes. */
function startShards() {
  return startCluster({
    replicas: [0, REPLICAS, REPLICAS],
    nodeTimeoutMs: DOWN_AFTER_MS,
    // A replica would leave for the shard that has none.
    options: { 'cluster-allow-replica-migration': 'no' },
  });
}

export async function openRedisCluster() {
  const cluster = await startShards();
  const primary = () => cluster.primaryOf(KEY);
  async function failOver() {
    const { own } = await cluster.shardsOf(KEY);
    await tellRedis(own[1].port, ['CLUSTER', 'FAILOVER']);
  }
  return toEngine('redis-cluster', cluster, [
    ...failOvers({ primary, servers: cluster.servers, failOver }),
    slotMoves(cluster),
    mostPrimariesLost(cluster),
    olderCopyPromoted({
      ...{ url: cluster.url, primary, servers: cluster.servers },
      async hold(isOn) {
        for (const { port } of (await cluster.shardsOf(KEY)).own)
          await tellRedis(port, ['CONFIG', 'SET', 'cluster-replica-no-failover', isOn ? 'yes' : 'no']);
      },
      lead: async () => {},
    }),
  ]);
}

/** The same cluster, where a write is acknowledged although no replica has it: `replicas=0`. */
export async function openClusterUnconfirmed() {
  const cluster = await startShards();
  const { servers, remove } = cluster;
  const url = `${cluster.url}?replicas=0`;
  const primary = () => cluster.primaryOf(KEY);
  return toEngine('redis-cluster-unconfirmed', { url, remove }, unconfirmed({ url, primary, servers }));
}

/** A primary with two replicas and three Sentinels. A fourth address is that of a Sentinel that names another server. */
export async function openRedisSentinel() {
  const watched = await startWatched({ replicas: REPLICAS, downAfterMs: DOWN_AFTER_MS });
  await watched.ready();
  const { primary, servers, sentinels } = watched;
  const other = await startRedis();
  const liar = await startSentinel(other.port, { downAfterMs: DOWN_AFTER_MS });
  const url = watched.url.replace('//', `//127.0.0.1:${liar.port},`);
  async function remove() {
    for (const server of [liar, other]) await server.remove();
    await watched.remove();
  }
  return toEngine('redis-sentinel', { url, remove }, [
    ...failOvers({ primary, servers }),
    olderCopyPromoted({
      ...{ url, primary, servers },
      async hold(isOn) {
        const ms = isOn ? HELD_MS : DOWN_AFTER_MS;
        for (const { port } of sentinels)
          await tellRedis(port, ['SENTINEL', 'SET', 'agents', 'down-after-milliseconds', `${ms}`]);
      },
      lead: ({ port }) => tellRedis(port, ['REPLICAOF', 'NO', 'ONE']),
    }),
    ...sentinelsLost({ primary, sentinels }),
  ]);
}

/** The same servers behind Sentinels, where a write is acknowledged although no replica has it: `replicas=0`. */
export async function openRedisUnconfirmed() {
  const watched = await startWatched({ replicas: REPLICAS, downAfterMs: DOWN_AFTER_MS });
  await watched.ready();
  const { primary, servers, remove } = watched;
  const url = `${watched.url}&replicas=0`;
  return toEngine('redis-unconfirmed', { url, remove }, unconfirmed({ url, primary, servers }));
}

function toEngine(name, { url, remove }, faults) {
  return {
    name,
    storage: url,
    isShared: true,
    openStorage: () => redisStorage({ url }),
    faults,
    close: remove,
  };
}

function failOvers({ primary, servers, failOver }) {
  let lost;
  const promoted = () => promotedBeside(primary, lost);
  const common = {
    expected: EXPECTED,
    away: {},
    lastsMs: LASTS_MS,
    inQuick: true,
    async prepare() {
      // A server that an earlier row has lost follows the present primary again.
      if (lost !== undefined) await lost.restart();
      lost = undefined;
      await followed(primary);
    },
  };
  return [
    {
      ...common,
      name: 'primary killed',
      async apply() {
        lost = await primary();
        await lost.kill();
      },
      undo: promoted,
    },
    {
      ...common,
      name: 'primary killed again',
      inQuick: false,
      async apply() {
        lost = await primary();
        await lost.kill();
      },
      undo: promoted,
    },
    {
      ...common,
      name: 'primary frozen',
      async apply() {
        lost = await primary();
        lost.freeze();
      },
      async undo() {
        await promoted();
        lost.thaw();
        lost = undefined;
      },
    },
    {
      ...common,
      name: 'a replica killed',
      inQuick: false,
      async apply() {
        [lost] = await followersOf(await primary(), servers);
        await lost.kill();
      },
      undo: async () => {},
    },
    // SENTINEL FAILOVER does not wait for the replica that it promotes: with one replica of two a node may have lost a
    // write, and then refuses until it is started again.
    failOver && {
      ...common,
      name: 'planned fail-over',
      inQuick: false,
      async apply() {
        lost = await primary();
        await failOver();
      },
      async undo() {
        await promoted();
        lost = undefined;
      },
    },
    replicasFrozen({ ...common, primary, servers }),
  ].filter(Boolean);
}

/** Nothing hears the primary any more: what is written then has no replica, and after 3 s nothing is read. */
function replicasFrozen({ primary, servers, ...common }) {
  let replicas = [];
  return {
    ...common,
    name: 'primary cut from its replicas',
    expected: '503 for writes at once, and for all else after 3 s; well when they are back',
    inQuick: false,
    async apply() {
      replicas = await followersOf(await primary(), servers);
      for (const replica of replicas) replica.freeze();
    },
    async undo() {
      for (const replica of replicas) replica.thaw();
      await followed(primary);
    },
  };
}
