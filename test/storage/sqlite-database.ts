import { expect } from 'vitest';
import {
  hasBuiltInSqlite,
  loadSqlite,
  type SqliteConnection,
  type SqliteLibrary,
} from '../../adapters/storage/sql/sqlite/connection.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';

/** Every library that opens SQLite files on this runtime. */
export const libraries: readonly SqliteLibrary[] = hasBuiltInSqlite()
  ? ['node:sqlite', 'libsql']
  : ['libsql'];

/** What `run` gives back over a plain connection; nothing stays in the log. */
export async function withDatabase<Result>(
  library: SqliteLibrary,
  file: string,
  run: (connection: SqliteConnection) => Result,
): Promise<Result> {
  const connection = (await loadSqlite(library))(file);
  try {
    return run(connection);
  } finally {
    connection.all('pragma wal_checkpoint(truncate)');
    connection.close();
  }
}

/** The error of a storage that must not open: one line for the operator. */
export async function refusalOf(
  open: () => Promise<StorageAdapter>,
): Promise<{ readonly code: unknown; readonly message: string }> {
  const outcome = await open().then(
    (storage) => storage.close(),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  const { code, message } = outcome as { code: unknown; message: string };
  expect(message).not.toContain('\n');
  return { code, message };
}
