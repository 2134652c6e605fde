import type { ChangeChannel } from '../changes.ts';
import type { SqliteConnection } from './connection.ts';

/** Below the 250 ms within which a change by another process is noticed, with time for a busy event loop. */
const POLL_MS = 200;

/**
 * The channel of a database file: this connection notices commits of others. SQLite reports that something has
 * changed, not what. A connection's own writes leave `data_version` as it is, so this has to be the connection of the
 * storage.
 */
export function watchOtherConnections(connection: SqliteConnection): ChangeChannel {
  return {
    listen(listener) {
      let seen = readDataVersion(connection);
      const timer = setInterval(() => {
        const found = readDataVersion(connection);
        // A file that cannot be read may have changed.
        if (found !== undefined && found === seen) return;
        seen = found;
        listener(undefined);
      }, POLL_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

function readDataVersion(connection: SqliteConnection): unknown {
  try {
    return connection.all('pragma data_version')[0]?.['data_version'];
  } catch {
    return undefined;
  }
}
