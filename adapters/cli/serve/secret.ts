import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';

export async function readKeptSecret(place: StoragePlace): Promise<string | undefined> {
  if (place.kind !== 'sqlite') return undefined;
  const file = secretFileOf(place);
  try {
    return (await readFile(file, 'utf8')).trimEnd();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw usageError(`The signing secret ${file} cannot be read (${code}). Correct its permissions.`, cause);
  }
}

export async function isExposed(place: StoragePlace): Promise<boolean> {
  if (place.kind !== 'sqlite' || process.platform === 'win32') return false;
  const stats = await stat(secretFileOf(place)).catch(() => undefined);
  return stats !== undefined && (stats.mode & 0o077) !== 0;
}

/**
 * Creates a signing secret of 384 bits and stores it next to the database, for its owner only. The file is written
 * atomically. If two processes start together, both get the secret of the first.
 */
export async function makeKeptSecret(place: StoragePlace): Promise<string> {
  const madeText = randomBytes(48).toString('base64');
  if (place.kind !== 'sqlite') return madeText;
  const file = secretFileOf(place);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDurably(draft, `${madeText}\n`);
    await publish(draft, file);
  } catch (cause) {
    throw usageError(
      `The signing secret ${file} cannot be written (${(cause as NodeJS.ErrnoException).code}). Correct the permissions of its folder.`,
      cause,
    );
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(file));
  return (await readKeptSecret(place)) ?? madeText;
}

function secretFileOf({ file }: { readonly file: string }): string {
  return `${file}.secret`;
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames the draft to its final name. If another process has already created the file, that file stays. */
async function publish(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    // Some file systems have no hard links.
    await copyFile(draft, file, constants.COPYFILE_EXCL);
  }
}

/**
 * Syncs a folder to the disk. Does nothing on Windows, because folders cannot be opened there. Windows keeps
 * the names of files without this sync.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
