import type { ChangeChannel } from '../changes.ts';
import type { SqliteConnection } from './connection.ts';

/** The interval of the checks. It is below 250 ms, the time within which changes by other processes must be noticed. */
const POLL_MS = 200;

/**
 * Creates the channel of a database file. It notices commits of other connections, but not which records they
 * change. `data_version` is a number that changes with every commit of another connection. It must be read on
 * the connection of the storage, so that the storage's commits do not change it.
 */
export function watchOtherConnections(connection: SqliteConnection): ChangeChannel {
  return {
    listen(listener) {
      let seenVersion = readDataVersion(connection);
      const timer = setInterval(() => {
        const dataVersion = readDataVersion(connection);
        // A file that cannot be read counts as changed.
        if (dataVersion !== undefined && dataVersion === seenVersion) return;
        seenVersion = dataVersion;
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
