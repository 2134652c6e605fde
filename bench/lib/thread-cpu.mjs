/** CPU of the main thread: what the event loop works, however long other work of the machine keeps it waiting. */
import { readFileSync } from 'node:fs';

/** In microseconds since the start; `undefined` where neither Node (23.9) nor the system (Linux) says it. */
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
