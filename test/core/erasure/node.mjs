/**
 * A node that dies in the middle of an erasure:
 * `node node.mjs <url of the storage> <start of its clock> <account> <agent or nothing> <calls> <ms>`. It begins the
 * erasure where an account is named, else it goes on with what another has begun, and is killed `ms` after it has made
 * this many calls of the storage. Its clock and its timers run thirty times as fast, so that a lease of a node that died ends soon.
 */
import { erasure } from '../../../dist/erasure.js';
import { createIdentityService } from '../../../dist/index.js';
import { openStorage } from '../../nodes/engines.mjs';

const FASTER = 30;

const [url, start, account_id, agent_id, calls, ms] = process.argv.slice(2);
let left = Number(calls);
const storage = await openStorage(url, { timeoutMs: 30_000 });
const service = createIdentityService({
  storageDeadlineMs: 30_000,
  capabilities: [erasure()],
  storage: { ...counted(storage), journal: counted(storage.journal) },
  clock: { now: () => Number(start) + (Date.now() - Number(start)) * FASTER },
  log: ({ level, message, cause }) => level === 'error' && console.error(message, cause ?? ''),
  after(wait, run) {
    const timer = setTimeout(run, wait / FASTER);
    return () => clearTimeout(timer);
  },
});
if (agent_id) await service.passports.purge(agent_id, { account_id });
else if (account_id) await service.accounts.delete(account_id);
await service.erasures.run();
await service.close();

function counted(methods) {
  const entries = Object.entries(methods).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value];
    return [
      name,
      (...args) => {
        // The looks of one that waits for its turn are no part of the work.
        if (args[0] !== 'erasures') left -= 1;
        if (left === 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(ms));
        return value(...args);
      },
    ];
  });
  return Object.fromEntries(entries);
}
