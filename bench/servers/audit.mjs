/**
 * Audits the log in a folder, without blocks, in its own process:
 *
 * ```sh
 * node bench/servers/audit.mjs '{ "folder": "…", "key": "…", "size": 1000000 }'
 * ```
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNoteKey, tilePath, verifyLog } from 'agent-identity-service/log';
import { entryAt } from '../lib/large-log.mjs';

const { folder, key, size } = JSON.parse(process.argv[2]);
const startedAt = performance.now();
const { head, findings } = await verifyLog(
  {
    checkpoint: readFileSync(join(folder, 'checkpoint'), 'utf8'),
    async tile(tile) {
      const path = join(folder, tilePath(tile));
      return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
    },
    async *entries() {
      for (let index = 0; index < size; index += 1) yield entryAt(index);
    },
  },
  { keys: [await readNoteKey(key)] },
);
if (findings.length > 0 || head?.size !== size)
  throw new Error(`The audit names ${JSON.stringify(findings[0])}.`);
const ms = performance.now() - startedAt;
process.send({ found: { ms, resident: peakBytes() } }, () => process.disconnect());

/**
 * Returns the peak of the resident memory of this process. `maxRSS` is not usable, because in a forked process it
 * begins with the value of the parent.
 */
function peakBytes() {
  if (!existsSync('/proc/self/status')) return process.resourceUsage().maxRSS * 1_024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1_024;
}
