/** A PgBouncer of one's own in front of a PostgreSQL server, which ends with the process that started it. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  folderOfPostgres,
  ownerOfPostgres,
  postgresAnswers,
  startServer,
  tiedToParent,
} from './private-servers.mjs';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(
  existsSync,
);

/** Whether a PgBouncer is installed that can be started. */
export function hasPgBouncer() {
  return PROGRAM !== undefined;
}

/**
 * A new PgBouncer, ready, that hands every database of the server on `target` out to the user `root`. See the
 * declarations for what it can do.
 */
export async function startPgBouncer({ target, mode, options = {} }) {
  if (PROGRAM === undefined) throw new Error('There is no pgbouncer to start: apt-get install pgbouncer.');
  const folder = folderOfPostgres('ais-pgbouncer-');
  const urlOf = (port) => `postgres://root@127.0.0.1:${port}/postgres`;
  return startServer({
    folder,
    urlOf,
    stopSignal: 'SIGTERM',
    commandOf(port) {
      const settings = {
        listen_addr: '127.0.0.1',
        listen_port: port,
        unix_socket_dir: '',
        auth_type: 'any',
        pool_mode: mode,
        ...options,
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
      const server = `* = host=127.0.0.1 port=${target} user=root`;
      const file = join(folder, 'pgbouncer.ini');
      writeFileSync(file, ['[databases]', server, '[pgbouncer]', ...lines, ''].join('\n'));
      return [...tiedToParent('KILL', ownerOfPostgres()), PROGRAM, file];
    },
    answers: (port) => postgresAnswers(urlOf(port)),
  });
}
