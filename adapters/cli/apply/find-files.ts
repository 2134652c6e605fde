/**
 * Finds and reads the files of `apply`. No passport file is skipped silently, because `--prune` would suspend the
 * agents of a skipped file.
 */
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IdentityError } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';

export interface FoundFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const MAX_DEPTH = 8;
const MAX_FILES = 10_000;
const MAX_FILE_BYTES = 1024 * 1024;

const SKIPPED = /^(?:\.|node_modules$)/;

const NAMED = /\.(?:json|yaml|yml)$/;

export function isYaml(path: string): boolean {
  return !path.endsWith('.json');
}

export async function* readFiles(path: string): AsyncIterable<FoundFile> {
  // The given path may be a link, such as /tmp; nothing below it may.
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw usageError(`${path} cannot be read (${cause.code}).`, cause);
  });
  if (!stats.isDirectory()) {
    if (!NAMED.test(path))
      throw usageError(`${path} is no folder, and its name does not end in .json, .yaml or .yml.`);
    yield await readFound(path, 0);
    return;
  }
  const paths: string[] = [];
  await walk(path, 1, paths);
  for (const path of paths) yield await readFound(path, constants.O_NOFOLLOW);
}

async function walk(folder: string, depth: number, paths: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    throw usageError(`${folder} cannot be read (${cause.code}).`, cause);
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (SKIPPED.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth === MAX_DEPTH) throw usageError(`${path} is deeper than ${MAX_DEPTH} folders.`);
      await walk(path, depth + 1, paths);
    } else {
      refuseOther(entry, path);
      if (!NAMED.test(entry.name)) continue;
      paths.push(path);
      if (paths.length > MAX_FILES)
        throw usageError(`There are more than ${MAX_FILES} files. Name a folder with fewer.`);
    }
  }
}

function refuseOther(entry: Dirent, path: string): void {
  if (entry.isSymbolicLink()) throw usageError(`${path} is a symbolic link. Name the file that it leads to.`);
  if (!entry.isFile()) throw usageError(`${path} is no file.`);
}

/**
 * Reads a regular file of at most 1 MiB. The check uses the opened file, because another process may replace the file
 * after it was found.
 */
async function readFound(path: string, flags: number): Promise<FoundFile> {
  let file: FileHandle | undefined;
  try {
    // Without O_NONBLOCK a pipe would wait for its writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
    const stats = await file.stat();
    if (!stats.isFile()) throw usageError(`${path} is no file.`);
    const buffer = new Uint8Array(Math.min(stats.size, MAX_FILE_BYTES) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length === buffer.length) throw usageError(`${path} is larger than 1 MiB, or grows.`);
    return { path, bytes: buffer.subarray(0, length) };
  } catch (cause) {
    if (cause instanceof IdentityError) throw cause;
    throw usageError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, cause);
  } finally {
    await file?.close();
  }
}
