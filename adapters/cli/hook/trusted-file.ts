/** Reads files that decide for the hook. Only the user and root may be able to write them or a folder above them. */
import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { refusal } from './refused.ts';

export interface TrustedFileOptions {
  /** The name of the file in messages, such as `rules`. */
  readonly what: string;
  /** The folder of the project, in which the agent may write. */
  readonly cwd?: string | undefined;
  /** `true` for a secret. The file is then refused if other users can read it. */
  readonly isSecret?: boolean;
}

const MAX_BYTES = 1024 * 1024;
const MAX_LINKS = 40;

export async function readTrusted(path: string, options: TrustedFileOptions): Promise<Uint8Array> {
  const { what, cwd, isSecret = false } = options;
  if (!isAbsolute(path)) throw refusal(`The path of ${what} must be absolute: ${path}`);
  const real = await checkedPath(path, what);
  const info = await lstat(real);
  if (!info.isFile()) throw refusal(`${path} is no file. Name a file.`);
  if (info.size > MAX_BYTES) throw refusal(`${path} is larger than ${MAX_BYTES} bytes.`);
  if (isSecret && isOpen(info.mode, 0o077)) throw refusal(`Others may read ${path}. Run: chmod 600 ${path}`);
  if (cwd !== undefined && (await isInProject(real, cwd)))
    throw refusal(`${path} lies in the project, where the agent writes. Move it to ~/.agent-identity.`);
  return readFile(real);
}

/**
 * Says whether a path is in the folder of a project. A folder that contains the home folder does not count as a
 * project.
 */
export async function isInProject(real: string, cwd: string): Promise<boolean> {
  const [folder, home] = await Promise.all(
    [cwd, homedir()].map((path) => realpath(path).catch(() => resolve(path))),
  );
  return isWithin(real, folder ?? cwd) && !isWithin(home ?? '', folder ?? cwd);
}

export function isWithin(path: string, folder: string): boolean {
  const prefix = folder.endsWith(sep) ? folder : folder + sep;
  return path === folder || path.startsWith(prefix);
}

async function checkedPath(path: string, label: string): Promise<string> {
  const waiting = partsOf(path);
  let prefix = path.slice(0, path.indexOf(sep) + 1) || sep;
  let links = 0;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    if (part === '..') {
      prefix = dirname(prefix);
      continue;
    }
    await assertOurs(prefix, label);
    const next = join(prefix, part);
    const info = await statOf(next, path);
    if (!info.isSymbolicLink()) {
      prefix = next;
      if (waiting.length === 0) await assertOurs(prefix, label);
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw refusal(`${path} has too many links. Name the file that they lead to.`);
    const target = await readlink(next);
    if (isAbsolute(target)) prefix = sep;
    waiting.unshift(...partsOf(target));
  }
  return prefix;
}

/** Returns the parts of a path that name something, so that the last part is the file. */
function partsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== '' && part !== '.');
}

async function statOf(place: string, path: string): ReturnType<typeof lstat> {
  try {
    return await lstat(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(`${path} cannot be read (${code}). Run: agent-identity hook install <host>`);
  }
}

async function assertOurs(place: string, label: string): Promise<void> {
  if (process.platform === 'win32') return;
  const info = await lstat(place);
  const isOurs = info.uid === process.getuid?.() || info.uid === 0;
  const isSticky = info.isDirectory() && isOpen(info.mode, 0o1000);
  if (isOurs && (isSticky || !isOpen(info.mode, 0o022))) return;
  const how = isOurs ? `chmod go-w ${place}` : `chown the folder, or move ${label}`;
  throw refusal(`Others may write ${place}, and so change ${label}. Run: ${how}`);
}

function isOpen(mode: number, bits: number): boolean {
  return (mode & bits) !== 0;
}
