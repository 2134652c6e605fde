/** The settings file of a coding agent. Only hooks of this package are added or replaced. */
import { randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readJson } from '../../../src/http/binding.ts';

export interface Handler {
  readonly type: 'command';
  readonly command?: string;
  readonly args?: readonly string[];
  /** The command line, for Copilot CLI. */
  readonly bash?: string;
  readonly timeout?: number;
  readonly timeoutSec?: number;
  readonly onFailure?: 'block';
  readonly failClosed?: true;
}

export interface HandlerGroup {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

/** The hooks by event name. An entry is a group, or in a flat file the hook itself. */
export type Hooks = Readonly<Record<string, HandlerGroup | Handler>>;

type Members = Readonly<Record<string, unknown>>;

export interface SettingsFile {
  readonly path: string;
  readonly text: string | undefined;
  /** The parsed value; `undefined` if the file is not plain JSON, or its hooks have an unknown form. */
  readonly value: Members | undefined;
}

/** Reads a settings file. A flat file lists the hooks of an event without groups, and has a version. */
export async function readSettings(path: string, isFlat = false): Promise<SettingsFile> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path, text: undefined, value: {} };
    throw error;
  }
  const text = bytes.toString();
  if (text.trim() === '') return { path, text, value: {} };
  try {
    const value = readJson(bytes, { maxDepth: 64, maxMembers: 100_000 });
    return { path, text, value: isMembers(value) && hasHooks(value, isFlat) ? value : undefined };
  } catch {
    return { path, text, value: undefined };
  }
}

export function settingsText(
  { text = '', value }: SettingsFile,
  {
    host: agentName,
    hooks,
    more = {},
  }: { readonly host: string; readonly hooks: Hooks; readonly more?: Members },
): string {
  const valueBefore = value ?? {};
  const hooksAfter = withHooks(valueBefore, agentName, hooks);
  const next = { ...hooksAfter, ...more };
  if (JSON.stringify(next) === JSON.stringify(valueBefore) && text !== '') return text;
  const [, indent = '  '] = /^\{\r?\n([ \t]+)"/.exec(text) ?? [];
  return `${JSON.stringify(next, null, indent)}\n`;
}

function withHooks(value: Members, agentName: string, hooks: Hooks): Members {
  const allHooks = (value['hooks'] ?? {}) as Readonly<Record<string, readonly Members[]>>;
  const names = [...new Set([...Object.keys(allHooks), ...Object.keys(hooks)])];
  const entries = names.map((name) => {
    const groups = allHooks[name] ?? [];
    const wantedHook = hooks[name];
    const ownGroups = groups.filter((group) => ownIn(group, agentName).length > 0);
    const isThere =
      ownGroups.length === 1 &&
      wantedHook !== undefined &&
      JSON.stringify(ownGroups[0]) === JSON.stringify(wantedHook);
    if (isThere) return [name, groups] as const;
    const otherGroups = groups.flatMap((group) => withoutOwn(group, agentName));
    return [name, wantedHook === undefined ? otherGroups : [...otherGroups, wantedHook]] as const;
  });
  const keptEntries = entries.filter(
    ([name, groups]) => groups.length > 0 || (allHooks[name] ?? []).length === 0,
  );
  const { hooks: _, ...otherFields } = value;
  if (keptEntries.length === 0) return Object.keys(allHooks).length === 0 ? value : otherFields;
  return Object.hasOwn(value, 'hooks')
    ? { ...value, hooks: Object.fromEntries(keptEntries) }
    : { ...value, hooks: Object.fromEntries(keptEntries) };
}

function withoutOwn(group: Members, agentName: string): readonly Members[] {
  const ownHandlers = ownIn(group, agentName);
  if (ownHandlers.length === 0) return [group];
  const otherHandlers = handlersIn(group).filter((handler) => !ownHandlers.includes(handler));
  return otherHandlers.length === 0 ? [] : [{ ...group, hooks: otherHandlers }];
}

function ownIn(group: Members, agentName: string): readonly unknown[] {
  return handlersIn(group).filter((handler) => isOwn(handler, agentName));
}

export function handlersIn(group: object): readonly unknown[] {
  const { hooks } = group as { readonly hooks?: unknown };
  return Array.isArray(hooks) ? hooks : [group];
}

export function isOwn(handler: unknown, agentName: string): boolean {
  const { command, bash, args } = Object(handler) as Readonly<Record<string, unknown>>;
  const text = [command, bash, ...(Array.isArray(args) ? args : [])].join(' ');
  return /[/\\]hook\.cjs\b/.test(text) && text.includes(` ${agentName} --config `);
}

function hasHooks(value: Members, isFlat: boolean): boolean {
  const { hooks = {}, version = 1 } = value;
  const isEntry = isFlat ? isMembers : isGroup;
  return (
    isMembers(hooks) &&
    (!isFlat || version === 1) &&
    Object.values(hooks).every((groups) => Array.isArray(groups) && groups.every(isEntry))
  );
}

function isGroup(group: unknown): boolean {
  return isMembers(group) && Array.isArray(group['hooks']);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Replaces a file atomically, by renaming a new file. Keeps the permissions of the old file, and follows a link of the
 * user.
 */
export async function writeWhole(path: string, text: string, fresh: number = 0o600): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  const old = await stat(target).catch(() => undefined);
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  if (isLink && old === undefined) throw new Error(`${path} is a link that leads to no file.`);
  const next = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await writeFile(next, text, { flag: 'wx', mode: 0o600 });
    await chmod(next, (old?.mode ?? fresh) & 0o7777);
    if (old !== undefined && old.uid !== process.getuid?.()) await chown(next, old.uid, old.gid);
    await rename(next, target);
  } finally {
    await rm(next, { force: true });
  }
}

export function differenceOf(textBefore: string, textAfter: string): readonly string[] {
  const [old, next] = [linesOf(textBefore), linesOf(textAfter)];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  const rows = commonLengths(old.slice(start), next.slice(start));
  const lines: string[] = [];
  let [leftIndex, right] = [0, 0];
  while (start + leftIndex < old.length || start + right < next.length) {
    const [a, b] = [old[start + leftIndex], next[start + right]];
    if (a !== undefined && a === b) {
      leftIndex += 1;
      right += 1;
    } else if (
      b === undefined ||
      (a !== undefined && at(rows, leftIndex + 1, right) >= at(rows, leftIndex, right + 1))
    ) {
      lines.push(`- ${a}`);
      leftIndex += 1;
    } else {
      lines.push(`+ ${b}`);
      right += 1;
    }
  }
  return lines;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split('\n');
}

function commonLengths(old: readonly string[], next: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      const row = rows[i] as Uint32Array;
      row[j] =
        old[i] === next[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  }
  return rows;
}

function at(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
