/** Redis Sentinels of one's own, which end with the process that started them. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisAnswers, startRedis, startServer, tiedToParent } from './private-servers.mjs';
import { tellRedis, waitFor } from './redis-words.mjs';

/** A new Sentinel that watches the server on that port. See the declarations for what it can do. */
export async function startSentinel(watched, { quorum = 1, downAfterMs = 1_000, lines = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-sentinel-'));
  return startServer({
    folder,
    urlOf: (port) => `redis://127.0.0.1:${port}`,
    stopSignal: 'SIGTERM',
    commandOf(port) {
      const file = join(folder, 'sentinel.conf');
      const all = [
        'bind 127.0.0.1',
        `port ${port}`,
        `sentinel monitor agents 127.0.0.1 ${watched} ${quorum}`,
        `sentinel down-after-milliseconds agents ${downAfterMs}`,
        'sentinel failover-timeout agents 6000',
        ...lines,
        '',
      ];
      // A Sentinel that starts again goes on with the state that it has written there.
      if (!existsSync(file)) writeFileSync(file, all.join('\n'));
      return [...tiedToParent('KILL'), 'redis-server', file, '--sentinel'];
    },
    answers: redisAnswers,
  });
}

/** Three Sentinels over a primary and its replicas. See the declarations for what it can do. */
export async function startWatched({ replicas = 2, downAfterMs = 1_000, options = {} } = {}) {
  const started = [];
  const remove = async () => {
    for (const server of started) await server.remove();
  };
  const note = (server) => {
    started.push(server);
    return server;
  };
  try {
    const own = { 'repl-diskless-sync-delay': '0', ...options };
    const primary = note(await startRedis({ options: own }));
    const replicaof = `127.0.0.1 ${primary.port}`;
    const followers = await Promise.all(
      Array.from({ length: replicas }, async () =>
        note(await startRedis({ options: { ...own, replicaof } })),
      ),
    );
    await waitFor('the replicas', async () => {
      const info = String(await tellRedis(primary.port, ['INFO', 'replication']));
      return (info.match(/state=online/g) ?? []).length === replicas;
    });
    const sentinels = await Promise.all(
      [1, 2, 3].map(async () => note(await startSentinel(primary.port, { quorum: 2, downAfterMs }))),
    );
    const servers = [primary, ...followers];
    return {
      url: `redis://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}?sentinel=agents`,
      servers,
      sentinels,
      async primary() {
        const [, port] = await tellRedis(sentinels[0].port, [
          'SENTINEL',
          'GET-MASTER-ADDR-BY-NAME',
          'agents',
        ]);
        return servers.find((server) => server.port === Number(port));
      },
      ready: () =>
        waitFor('the Sentinels know each other and the replicas', async () => {
          const known = await Promise.all(
            sentinels.map(({ port }) => tellRedis(port, ['INFO', 'sentinel']).then(String)),
          );
          return known.every((info) => info.includes(`slaves=${replicas},sentinels=3`));
        }),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
