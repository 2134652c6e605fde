/** Measures the CPU time of the database server, next to the process that calls it. */
import { readdirSync, readFileSync } from 'node:fs';

const PROGRAMS = { postgres: 'postgres', redis: 'redis-server' };
/** Linux counts the CPU time of a process in hundredths of a second. */
const TICK_US = 10_000;

/**
 * Returns the CPU microseconds of all processes of the database server on this machine, including ended ones. Returns
 * 0 for a storage without a server. Linux only.
 */
export function storeCpuUs(engine) {
  const program = PROGRAMS[engine];
  if (program === undefined) return 0;
  let ticks = 0;
  for (const pid of readdirSync('/proc')) if (/^\d+$/.test(pid)) ticks += ticksOf(pid, program);
  return ticks * TICK_US;
}

function ticksOf(pid, program) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    if (stat.slice(stat.indexOf('(') + 1, end) !== program) return 0;
    const [user, system, childrenUser, childrenSystem] = stat
      .slice(end + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return user + system + childrenUser + childrenSystem;
  } catch {
    // It has ended since the list was read.
    return 0;
  }
}
