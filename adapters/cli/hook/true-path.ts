/** The one file that a path of a tool names: absolute, without links, in the true case. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

const MAX_LENGTH = 4_096;

/**
 * Returns the path with `/`, with the links of its deepest existing part resolved. Throws for a path that two programs may
 * read differently, and for a link that leads to no file.
 */
export function truePath(given: unknown, cwd: string): string {
  if (typeof given !== 'string' || given === '' || given.length > MAX_LENGTH) throw new TypeError();
  if (given.trim() !== given || given.includes('\0') || given.startsWith('~')) throw new TypeError();
  if (process.platform === 'win32' && isOddOnWindows(given)) throw new TypeError();
  const path = realPath(resolve(cwd, given));
  if (given.split(/[/\\]/).includes('..') && path !== walked(given, cwd)) throw new TypeError();
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Says whether Windows reads the path specially: a device, or a stream of a file. */
function isOddOnWindows(path: string): boolean {
  return /^[\\/]{2}[?.]/.test(path) || path.replace(/^[A-Za-z]:/, '').includes(':');
}

/** Resolves the links of the deepest existing part. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  if (isThere(path)) throw new TypeError(); // a link that leads nowhere
  const above = dirname(path);
  return above === path ? path : join(realPath(above), basename(path));
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Follows a path part by part, as the system does: `..` after a link leaves the target of the link. */
function walked(given: string, cwd: string): string {
  let at = isAbsolute(given) ? sep : cwd;
  for (const part of given.split(sep)) {
    if (part === '' || part === '.') continue;
    at = part === '..' ? dirname(realPath(at)) : join(at, part);
    if (isLink(at)) at = resolve(dirname(at), readlinkSync(at));
  }
  return realPath(at);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * Returns the folder in which a pattern of files can find something: the part before its first wildcard. Throws for a
 * pattern that may leave the folder in its middle.
 */
export function patternBase(folder: unknown, pattern: unknown, cwd: string): string {
  const at = folder === undefined ? cwd : folder;
  if (typeof pattern !== 'string' || typeof at !== 'string') throw new TypeError();
  if (pattern.includes('..') || /[{,]\//.test(pattern) || pattern.startsWith('~')) throw new TypeError();
  if (!isAbsolute(pattern)) return truePath(at, cwd);
  const parts = pattern.split(/[/\\]/);
  const wild = parts.findIndex((part) => /[*?[\]{}()!+@]/.test(part));
  return truePath(parts.slice(0, wild === -1 ? parts.length : wild).join(sep) || sep, cwd);
}
