/** The primary of the keys and its replicas, in a cluster and behind Sentinels. */
import { tellRedis, waitFor } from '../../support/redis-words.mjs';

export const KEY = '{agent-identity}';
export const LASTS_MS = 10_000;
export const REPLICAS = 2;

/** Settles when another server than `lost` is the primary. */
export function promotedBeside(primary, lost) {
  return waitFor('another primary', async () => {
    const now = await primary();
    return now !== lost && /^role:master/m.test(await tellRedis(now.port, ['INFO', 'replication']));
  });
}

/** Settles when all replicas follow the primary. */
export function followed(primary) {
  return waitFor('all replicas follow', async () => {
    const { port } = await primary();
    const info = await tellRedis(port, ['INFO', 'replication']);
    return (info.match(/state=online/g) ?? []).length === REPLICAS;
  });
}

/** The servers that follow a primary. */
export async function followersOf({ port }, servers) {
  const info = String(await tellRedis(port, ['INFO', 'replication']));
  return servers.filter((server) => info.includes(`port=${server.port},state=online`));
}
