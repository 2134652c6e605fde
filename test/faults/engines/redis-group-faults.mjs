/** Faults of what finds the primary: Sentinels, the other shards of a cluster, and a slot that moves. */
import { moveSlot } from '../../support/redis-slots.mjs';
import { tellRedis, waitFor } from '../../support/redis-words.mjs';
import { followed, KEY, LASTS_MS, promotedBeside, REPLICAS } from './redis-primaries.mjs';

/** Sentinels that are dead change nothing while the primary lives; without them no other one is named. */
export function sentinelsLost({ primary, sentinels }) {
  let lost;
  const kill = async () => {
    for (const sentinel of sentinels) await sentinel.kill();
  };
  const restart = async () => {
    for (const sentinel of sentinels) await sentinel.restart();
  };
  const common = { lastsMs: LASTS_MS, inQuick: false, prepare: () => followed(primary) };
  return [
    {
      ...common,
      name: 'all Sentinels killed',
      expected: 'right answers',
      away: {},
      apply: kill,
      undo: restart,
    },
    {
      ...common,
      name: 'all Sentinels and the primary killed',
      expected: 'nothing but 503, until the Sentinels are back and have promoted a replica',
      away: { verdicts: 'none', writes: 'none', ready: 'none' },
      async apply() {
        lost = await primary();
        await kill();
        await lost.kill();
      },
      async undo() {
        await restart();
        await promotedBeside(primary, lost);
      },
    },
  ];
}

/** The shard of the keys is whole, but the cluster is down: a server that may be cut off answers nothing. */
export function mostPrimariesLost(cluster) {
  let lost = [];
  return {
    name: 'most primaries killed',
    expected: '503 once the cluster is down; well when they are back',
    away: {},
    lastsMs: LASTS_MS,
    inQuick: false,
    prepare: () => followed(() => cluster.primaryOf(KEY)),
    async apply() {
      const { others } = await cluster.shardsOf(KEY);
      lost = others.map(([primary]) => primary);
      await Promise.all(lost.map((server) => server.kill()));
    },
    async undo() {
      for (const server of lost) await server.restart();
      const { own } = await cluster.shardsOf(KEY);
      await waitFor('the cluster', async () =>
        /cluster_state:ok/.test(await tellRedis(own[0].port, ['CLUSTER', 'INFO'])),
      );
    },
  };
}

/** The slot moves to another shard, key by key under load, and comes back. */
export function slotMoves(cluster) {
  let moving;
  return {
    name: 'slot moved and back',
    expected: 'right answers or 503; no acknowledged write is lost; well after the move',
    away: {},
    lastsMs: LASTS_MS,
    // It needs a shard that has got a replica more from the faults before it.
    inQuick: false,
    prepare: () => followed(() => cluster.primaryOf(KEY)),
    async apply() {
      const slot = await tellRedis(cluster.servers[0].port, ['CLUSTER', 'KEYSLOT', KEY]);
      const { own, others } = await cluster.shardsOf(KEY);
      const [from] = own;
      const [to] = others.find(({ length }) => length > REPLICAS);
      moving = (async () => {
        await moveSlot({ servers: cluster.servers, slot, from, to, pauseMs: 50 });
        await moveSlot({ servers: cluster.servers, slot, from: to, to: from, pauseMs: 50 });
      })();
      moving.catch(() => {});
    },
    undo: async () => moving,
  };
}
