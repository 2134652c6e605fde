import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';

/** Reads the signing secret kept next to the database; `undefined` when there is none yet. */
export async function readKeptSecret(place: StoragePlace): Promise<string | undefined> {
  if (place.kind !== 'sqlite') return undefined;
  const file = secretFileOf(place);
  try {
    return (await readFile(file, 'utf8')).trimEnd();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw usageError(`The signing secret ${file} cannot be read (${code}).`, cause);
  }
}

/** Returns `true` when a secret is kept that others than its owner can read. */
export async function isExposed(place: StoragePlace): Promise<boolean> {
  if (place.kind !== 'sqlite' || process.platform === 'win32') return false;
  const found = await stat(secretFileOf(place)).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}

/**
 * Creates a signing secret of 384 bits and stores it next to the database, for the owner only. The file appears whole
 * or not at all. If two processes start together, both get the secret of the first.
 */
export async function makeKeptSecret(place: StoragePlace): Promise<string> {
  const made = randomBytes(48).toString('base64');
  if (place.kind !== 'sqlite') return made;
  const file = secretFileOf(place);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDurably(draft, `${made}\n`);
    await publish(draft, file);
  } catch (cause) {
    throw usageError(
      `The signing secret ${file} cannot be written (${(cause as NodeJS.ErrnoException).code}).`,
      cause,
    );
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(file));
  return (await readKeptSecret(place)) ?? made;
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

/** Gives the draft its name, unless another process has taken the name: then that one's file stays. */
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

/** Windows cannot open a folder, and keeps its names without. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
