import type { ChangeChannel } from '../changes.ts';
import type { SqliteConnection } from './connection.ts';

/** Below the 250 ms within which a change by another process is noticed, with time for a busy event loop. */
const POLL_MS = 200;

/**
 * The channel of a database file: whatever others have committed there is noticed by this connection. SQLite
 * tells that something has changed, not what. Its own writes leave `data_version` as it is, so it has to be the
 * connection of the storage.
 */
export function watchOtherConnections(connection: SqliteConnection): ChangeChannel {
  return {
    listen(hear) {
      let seen = readDataVersion(connection);
      const timer = setInterval(() => {
        const found = readDataVersion(connection);
        // What cannot be read may have changed.
        if (found !== undefined && found === seen) return;
        seen = found;
        hear(undefined);
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
