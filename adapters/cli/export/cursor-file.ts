/** The file with the id of the last printed event. The next run continues after this event. */
import { constants } from 'node:fs';
import { access, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isEventId } from '../../../src/http/index.ts';
import { usageError } from '../output/error.ts';

export interface Cursor {
  readonly after: string | undefined;
  /** Records an event after its line was written. The file is replaced at most once per second. */
  passed(id: string): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 1_000;

export async function openCursor(path: string): Promise<Cursor> {
  const cursorAfter = await readCursor(path);
  let pending: string | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  /** Writes one id at a time. If a write fails, the next call throws the error. */
  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      const id = pending;
      if (id === undefined) return;
      await replaceFile(path, `${id}\n`);
      writtenAt = performance.now();
      if (pending === id) pending = undefined;
    });
    return writing;
  }

  return {
    after: cursorAfter,
    async passed(id) {
      pending = id;
      const waitMs = writtenAt + EVERY_MS - performance.now();
      if (waitMs <= 0) await write();
      else timer ??= setTimeout(() => write().catch(() => undefined), waitMs);
    },
    close: write,
  };
}

async function readCursor(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw usageError(`${path} cannot be read (${code}).`, cause);
    await access(dirname(path), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      throw usageError(`${path} cannot be written (${error.code}).`, error);
    });
    return undefined;
  }
  const id = text.replace(/\n$/, '');
  if (isEventId(id)) return id;
  throw usageError(`${path} holds no id of an event. Remove the file to begin now.`);
}

/** Replaces a file by renaming a new one. After a crash, the file has its old or its new content. */
async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(fresh, flags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}
