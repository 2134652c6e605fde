/** Moves a slot of a cluster as `redis-cli --cluster` does, key by key. */
import { tellRedis } from './redis-words.mjs';

const KEYS_AT_ONCE = 100;
const REST_MS = 1_000;

/** Moves a slot from one primary to another, and tells all servers. */
export async function moveSlot({ servers, slot, from, to, pauseMs = 0, isResting = false }) {
  await tellRedis(to.port, ['CLUSTER', 'SETSLOT', `${slot}`, 'IMPORTING', from.id]);
  await tellRedis(from.port, ['CLUSTER', 'SETSLOT', `${slot}`, 'MIGRATING', to.id]);
  await moveKeys({ slot, from, to, pauseMs, isResting });
  await tellRedis(to.port, ['CLUSTER', 'SETSLOT', `${slot}`, 'NODE', to.id]);
  await tellRedis(from.port, ['CLUSTER', 'SETSLOT', `${slot}`, 'NODE', to.id]);
  for (const { port } of servers.filter((server) => server !== from && server !== to)) {
    await tellRedis(port, ['CLUSTER', 'SETSLOT', `${slot}`, 'NODE', to.id]).catch(ignoreReplica);
  }
}

async function moveKeys({ slot, from, to, pauseMs, isResting }) {
  for (let since = performance.now(); ; ) {
    const keys = await tellRedis(from.port, ['CLUSTER', 'GETKEYSINSLOT', `${slot}`, `${KEYS_AT_ONCE}`]);
    if (keys.length === 0) return;
    await tellRedis(from.port, ['MIGRATE', '127.0.0.1', `${to.port}`, '', '0', '5000', 'KEYS', ...keys]);
    if (isResting && performance.now() - since > REST_MS) {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      since = performance.now();
    }
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** A replica learns it from its primary. */
function ignoreReplica(error) {
  if (!/SETSLOT only with masters/.test(String(error))) throw error;
}
