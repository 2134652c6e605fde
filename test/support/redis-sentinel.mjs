/** A Redis Sentinel of one's own, which ends with the process that started it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisAnswers, startServer, tiedToParent } from './private-servers.mjs';

/** A new Sentinel that watches the server on that port. See the declarations for what it can do. */
export async function startSentinel(watched) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-sentinel-'));
  return startServer({
    folder,
    urlOf: (port) => `redis://127.0.0.1:${port}`,
    stopSignal: 'SIGTERM',
    commandOf(port) {
      const file = join(folder, 'sentinel.conf');
      const lines = ['bind 127.0.0.1', `port ${port}`, `sentinel monitor agents 127.0.0.1 ${watched} 1`, ''];
      writeFileSync(file, lines.join('\n'));
      return [...tiedToParent('KILL'), 'redis-server', file, '--sentinel'];
    },
    answers: redisAnswers,
  });
}
