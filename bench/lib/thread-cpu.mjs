/**
 * Measures the CPU time of the main thread. It is the work of the event loop, without the time that it waits because of
 * other work on the machine.
 */
import { readFileSync } from 'node:fs';

/**
 * Returns the CPU microseconds since the start; `undefined` if neither Node (23.9) nor the system (Linux) reports it.
 */
export function mainThreadCpu() {
  if (process.threadCpuUsage !== undefined) {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  }
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1_000;
  } catch {
    return undefined;
  }
}
