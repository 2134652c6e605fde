import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The minimum number of cores for separate times of a server with threads and a client that never sleeps. */
const ENOUGH = 3;

/**
 * Returns why latencies at a fixed rate mean little on this machine. Returns `undefined` if the client can have its own
 * core and the servers several.
 */
export function pinningDoubt() {
  if (spawnSync('taskset', ['--version']).error !== undefined) return 'not told (there is no taskset)';
  const { length } = cpus();
  return length >= ENOUGH ? undefined : `not told (${length} cores, one of them the client's)`;
}

/** Assigns the last core to the client, and all other cores to the servers. */
export function pinApart(client, servers) {
  const last = cpus().length - 1;
  pin(client, `${last}`);
  for (const server of servers) pin(server, last === 0 ? '0' : `0-${last - 1}`);
}

/** Lets these processes run on every core again. */
export function unpin(pids) {
  for (const pid of pids) pin(pid, `0-${cpus().length - 1}`);
}

function pin(pid, cores) {
  spawnSync('taskset', ['-a', '-c', '-p', cores, `${pid}`]);
}
