/** Converts a tool call to intents, with a fixed table for the tools of coding agents. */
import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ToolIntent } from '../../../src/guard/index.ts';
import { canonicalJson } from '../../../src/http/binding.ts';
import type { ToolEvent } from './tool-event.ts';

const MAX_LENGTH = 4_096;

/**
 * Returns the path with `/`, and resolves the links in its deepest existing part. Throws if two programs could read the
 * path differently, or a link leads to no file.
 */
function truePath(value: unknown, cwd: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH) throw new TypeError();
  if (value.trim() !== value || value.includes('\0') || value.startsWith('~')) throw new TypeError();
  if (process.platform === 'win32' && isOddOnWindows(value)) throw new TypeError();
  const path = realPath(resolve(cwd, value));
  if (value.split(/[/\\]/).includes('..') && path !== walked(value, cwd)) throw new TypeError();
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Says whether the path is special on Windows: a device, or a stream of a file. */
function isOddOnWindows(path: string): boolean {
  return /^[\\/]{2}[?.]/.test(path) || path.replace(/^[A-Za-z]:/, '').includes(':');
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  if (isThere(path)) throw new TypeError(); // a link that leads nowhere
  const parentFolder = dirname(path);
  return parentFolder === path ? path : join(realPath(parentFolder), basename(path));
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Follows a path part by part, as the system does. After a link, `..` is the folder above the target of the link. */
function walked(path: string, cwd: string): string {
  let folder = isAbsolute(path) ? sep : cwd;
  for (const part of path.split(sep)) {
    if (part === '' || part === '.') continue;
    folder = part === '..' ? dirname(realPath(folder)) : join(folder, part);
    if (isLink(folder)) folder = resolve(dirname(folder), readlinkSync(folder));
  }
  return realPath(folder);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * Returns the folder in which a file pattern can match, which is the part before its first wildcard. Throws for a
 * pattern that may leave this folder.
 */
function patternBase(folder: unknown, pattern: unknown, cwd: string): string {
  const startFolder = folder === undefined ? cwd : folder;
  if (typeof pattern !== 'string' || typeof startFolder !== 'string') throw new TypeError();
  if (pattern.includes('..') || /[{,]\//.test(pattern) || pattern.startsWith('~')) throw new TypeError();
  if (!isAbsolute(pattern)) return truePath(startFolder, cwd);
  const parts = pattern.split(/[/\\]/);
  const wild = parts.findIndex((part) => /[*?[\]{}()!+@]/.test(part));
  return truePath(parts.slice(0, wild === -1 ? parts.length : wild).join(sep) || sep, cwd);
}

const HEADER = /^\s*\*\*\* (?:Add File|Delete File|Update File|Move to): (.*\S)\s*$/;
const FRAME = /^\*\*\* (?:Begin Patch|End Patch|End of File)\s*$/;

function patchedFiles(input: Readonly<Record<string, unknown>>): readonly string[] {
  const patch = input['command'] ?? input['patch'] ?? input['input'];
  if (typeof patch !== 'string') throw new TypeError();
  return patch.split(/\r?\n|\r/).flatMap((line) => {
    const [, file] = HEADER.exec(line) ?? [];
    if (file !== undefined) return [file];
    // A line that begins another part of a patch, which this version does not know.
    if (line.startsWith('***') && !FRAME.test(line)) throw new TypeError();
    return [];
  });
}

/** The intents of one call. The call needs an ALLOW for each intent. */
export interface CallIntents {
  readonly intents: readonly ToolIntent[];
  readonly written: readonly string[];
}

type ReadTool = (event: ToolEvent) => CallIntents;

const writers = new Set<ReadTool>();

function writer(filesOf: (event: ToolEvent) => readonly unknown[]): ReadTool {
  const read: ReadTool = (event) => writing(event, filesOf(event));
  writers.add(read);
  return read;
}

const MAX_COMMAND = 12_000;

const TOOLS: Readonly<Record<string, ReadTool>> = {
  ...byNames(['Bash', 'PowerShell'], shell),
  run_shell_command: (event) =>
    shell(event, event.input['dir_path'] ?? event.input['directory'] ?? event.cwd),
  read_file: ({ input, cwd }) => reading(truePath(input['file_path'] ?? input['absolute_path'], cwd)),
  glob: ({ input, cwd }) => reading(patternBase(input['dir_path'] ?? input['path'], input['pattern'], cwd)),
  ...byNames(
    ['write_file', 'replace'],
    writer(({ input }) => [input['file_path']]),
  ),
  Read: (event) => reading(truePath(event.input['file_path'], event.cwd)),
  view_image: ({ input, cwd }) => reading(truePath(input['path'], cwd)),
  Glob: ({ input, cwd }) => reading(patternBase(input['path'], input['pattern'], cwd)),
  Grep: ({ input, cwd }) => reading(truePath(input['path'] ?? cwd, cwd)),
  ...byNames(
    ['Write', 'Edit', 'MultiEdit'],
    writer(({ input }) => [input['file_path']]),
  ),
  NotebookEdit: writer(({ input }) => [input['notebook_path']]),
  apply_patch: writer(({ input }) => patchedFiles(input)),
  WebFetch: ({ input }) => one({ action: 'web.fetch', parameters: addressOf(input['url']) }),
  WebSearch: ({ input }) => one({ action: 'web.search', parameters: { query: text(input['query'], 2_048) } }),
  ...byNames(['Agent', 'Task'], () => one({ action: 'agent.run' })),
};

const FILE = ['file_path', 'path'] as const;

const OWN_TOOLS: Readonly<Record<string, Readonly<Record<string, ReadTool>>>> = {
  cursor: {
    Shell: (event) => shell(event, event.input['cwd'] || event.cwd),
    Read: ({ input, cwd }) => reading(truePath(fileIn(input), cwd)),
    Grep: ({ input, cwd }) => reading(truePath(fileIn(input, cwd), cwd)),
    ...byNames(
      ['Write', 'Delete'],
      writer(({ input }) => [fileIn(input)]),
    ),
  },
  copilot: {
    ...byNames(['Bash', 'bash', 'powershell'], shell),
    ...byNames(['Read', 'view'], ({ input, cwd }) => reading(truePath(fileIn(input), cwd))),
    ...byNames(['Grep', 'grep', 'rg'], ({ input, cwd }) => reading(truePath(fileIn(input, cwd), cwd))),
    ...byNames(
      ['Write', 'create'],
      writer(({ input }) => [fileIn(input)]),
    ),
    // A patch has no path: it names its files.
    ...byNames(
      ['Edit', 'edit', 'str_replace_editor', 'apply_patch'],
      writer(({ input }) => (hasFile(input) ? [fileIn(input)] : patchedFiles(input))),
    ),
    web_fetch: (event) => (TOOLS['WebFetch'] as ReadTool)(event),
    web_search: (event) => (TOOLS['WebSearch'] as ReadTool)(event),
    task: () => one({ action: 'agent.run' }),
  },
};

function hasFile(input: ToolEvent['input']): boolean {
  return FILE.some((name) => input[name] !== undefined);
}

/** Returns the file in the arguments; throws if they name two files. */
function fileIn(input: ToolEvent['input'], fallback?: string): unknown {
  const [file = fallback, otherEntry] = FILE.map((name) => input[name]).filter((path) => path !== undefined);
  if (otherEntry !== undefined) throw new TypeError();
  return file;
}

export function intentsOf(event: ToolEvent): CallIntents {
  return readerOf(event)(event);
}

/** Says whether the tool writes files. */
export function isWriter(event: ToolEvent): boolean {
  return writers.has(readerOf(event));
}

function readerOf({ tool, name }: ToolEvent): ReadTool {
  const ownTools = OWN_TOOLS[name] ?? {};
  if (Object.hasOwn(ownTools, tool)) return ownTools[tool] as ReadTool;
  if (Object.hasOwn(TOOLS, tool)) return TOOLS[tool] as ReadTool;
  return tool.startsWith('mcp__') ? mcp : () => one({ action: `tool.${tool}` });
}

function byNames(names: readonly string[], read: ReadTool): Readonly<Record<string, ReadTool>> {
  return Object.fromEntries(names.map((name) => [name, read]));
}

function one(intent: ToolIntent): CallIntents {
  return { intents: [intent], written: [] };
}

function shell({ input, cwd }: ToolEvent, folder: unknown = cwd): CallIntents {
  const isAsync = input['mode'] === 'async' || undefined;
  const parameters = {
    command: text(input['command'], MAX_COMMAND),
    cwd: truePath(folder, cwd),
    ...(isOn(input['run_in_background'] ?? input['is_background'] ?? isAsync) && { background: true }),
    ...(isOn(input['dangerouslyDisableSandbox'] ?? input['requestSandboxBypass']) && { sandbox: 'off' }),
  };
  return one({ action: 'shell.run', parameters });
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function reading(path: string): CallIntents {
  return one({ action: 'file.read', parameters: { path } });
}

function writing({ input, cwd }: ToolEvent, files: readonly unknown[]): CallIntents {
  const sha256 = createHash('sha256').update(canonicalJson(input)).digest('hex');
  const writtenPaths = files.map((file) => truePath(file, cwd));
  const intents = writtenPaths.map((path) => ({ action: 'file.write', parameters: { path, sha256 } }));
  if (intents.length === 0) throw new TypeError();
  return { intents, written: writtenPaths };
}

function addressOf(value: unknown): NonNullable<ToolIntent['parameters']> {
  const url = text(value, 2_048);
  const { protocol, hostname, username, password } = new URL(url);
  if (`${username}${password}` !== '') throw new TypeError();
  return { url, host: hostname, scheme: protocol.slice(0, -1) };
}

function mcp({ tool, input, source }: ToolEvent): CallIntents {
  const toolPath = tool.slice('mcp__'.length);
  const cut = toolPath.indexOf('__');
  if (cut < 1 || cut + 2 === toolPath.length) throw new TypeError();
  const server = source === undefined ? toolPath.slice(0, cut) : `${source}/${toolPath.slice(0, cut)}`;
  const action = `mcp:${server}:${toolPath.slice(cut + 2)}`;
  return one({ action, parameters: { args: input as never } });
}

function text(value: unknown, longest: number): string {
  if (typeof value !== 'string' || value === '' || value.length > longest) throw new TypeError();
  return value;
}
