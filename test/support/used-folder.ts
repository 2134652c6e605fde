/** The folder of a service that has been started before, so that a start costs neither a migration nor a password. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { passwordHasher } from '../../src/credential/password.ts';
import { createIdentityService } from '../../src/index.ts';
import { PATIENT_MS } from './patience.ts';
import { GIVEN, openFolder, type Serving, startServe } from './process.ts';

/** The account of the first start. */
export const ADMIN = 'admin@localhost';

let made: Promise<string> | undefined;

/**
 * As `openFolder`, with the database (`file`) that `serve` leaves after its first start with `GIVEN`. Only the hash of
 * the password is another: a cheap one, as a sign-in at the full cost takes half a second of work.
 */
export async function openUsedFolder(file = 'agent-identity.db'): Promise<ReturnType<typeof openFolder>> {
  made ??= makeDatabase();
  const opened = openFolder();
  copyFileSync(await made, join(opened.folder, file));
  return opened;
}

/** `serve` in such a folder; both end with the test. */
export async function serveUsed(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly folder: string; readonly serving: Serving }> {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const serving = await startServe({ cwd: folder, env: { ...GIVEN, ...env } }, args);
  onTestFinished(async () => void (await serving.stop('SIGKILL')));
  return { folder, serving };
}

async function makeDatabase(): Promise<string> {
  const { folder, remove } = openFolder();
  process.once('exit', remove);
  const file = join(folder, 'used.db');
  const service = createIdentityService({
    storage: await sqliteStorage({ file }),
    session: { secret: GIVEN.AGENT_IDENTITY_SECRET },
    storageDeadlineMs: PATIENT_MS,
    passwordHasher: passwordHasher({ cost: { ln: 4, r: 8, p: 1 } }),
  });
  await service.accounts.create({ email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD });
  await service.close();
  return file;
}
