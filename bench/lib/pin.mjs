import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * The number of cores that a server with threads and a client that never sleeps need, so that their times can be
 * separated.
 */
const ENOUGH = 3;

/** Why latencies at a fixed rate say little here; undefined where the client has its own core and servers have more. */
export function pinningDoubt() {
  if (spawnSync('taskset', ['--version']).error !== undefined) return 'not told (there is no taskset)';
  const { length } = cpus();
  return length >= ENOUGH ? undefined : `not told (${length} cores, one of them the client's)`;
}

/** Gives the client the last core for itself, and the servers all others. */
export function pinApart(client, servers) {
  const last = cpus().length - 1;
  pin(client, `${last}`);
  for (const server of servers) pin(server, last === 0 ? '0' : `0-${last - 1}`);
}

/** Lets all of them run anywhere again. */
export function unpin(pids) {
  for (const pid of pids) pin(pid, `0-${cpus().length - 1}`);
}

function pin(pid, cores) {
  spawnSync('taskset', ['-a', '-c', '-p', cores, `${pid}`]);
}
