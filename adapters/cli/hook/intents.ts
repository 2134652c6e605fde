/** The intents of a call: a fixed table for the tools of agent hosts. */
import { createHash } from 'node:crypto';
import type { ToolIntent } from '../../../src/guard/index.ts';
import { canonicalJson } from '../../../src/http/binding.ts';
import type { ToolEvent } from './host-event.ts';
import { patchedFiles } from './patched-files.ts';
import { patternBase, truePath } from './true-path.ts';

/** The intents of one call; the call needs an ALLOW for each. */
export interface CallIntents {
  readonly intents: readonly ToolIntent[];
  /** The files that the call writes. */
  readonly written: readonly string[];
}

type ReadTool = (event: ToolEvent) => CallIntents;

const MAX_COMMAND = 12_000;

const TOOLS: Readonly<Record<string, ReadTool>> = {
  ...byNames(['Bash', 'PowerShell'], shell),
  run_shell_command: (event) =>
    shell(event, event.input['dir_path'] ?? event.input['directory'] ?? event.cwd),
  read_file: ({ input, cwd }) => reading(truePath(input['file_path'] ?? input['absolute_path'], cwd)),
  glob: ({ input, cwd }) => reading(patternBase(input['dir_path'] ?? input['path'], input['pattern'], cwd)),
  ...byNames(['write_file', 'replace'], (event) => writing(event, [event.input['file_path']])),
  Read: (event) => reading(truePath(event.input['file_path'], event.cwd)),
  view_image: ({ input, cwd }) => reading(truePath(input['path'], cwd)),
  Glob: ({ input, cwd }) => reading(patternBase(input['path'], input['pattern'], cwd)),
  Grep: ({ input, cwd }) => reading(truePath(input['path'] ?? cwd, cwd)),
  ...byNames(['Write', 'Edit', 'MultiEdit'], (event) => writing(event, [event.input['file_path']])),
  NotebookEdit: (event) => writing(event, [event.input['notebook_path']]),
  apply_patch: (event) => writing(event, patchedFiles(event.input)),
  WebFetch: ({ input }) => one({ action: 'web.fetch', parameters: addressOf(input['url']) }),
  WebSearch: ({ input }) => one({ action: 'web.search', parameters: { query: text(input['query'], 2_048) } }),
  ...byNames(['Agent', 'Task'], () => one({ action: 'agent.run' })),
};

/** Returns the intents of a call. Throws for a call that cannot be read. */
export function intentsOf(event: ToolEvent): CallIntents {
  const { tool } = event;
  if (Object.hasOwn(TOOLS, tool)) return (TOOLS[tool] as ReadTool)(event);
  if (tool.startsWith('mcp__')) return mcp(event);
  return one({ action: `tool.${tool}` });
}

function byNames(names: readonly string[], read: ReadTool): Readonly<Record<string, ReadTool>> {
  return Object.fromEntries(names.map((name) => [name, read]));
}

function one(intent: ToolIntent): CallIntents {
  return { intents: [intent], written: [] };
}

function shell({ input, cwd }: ToolEvent, folder: unknown = cwd): CallIntents {
  const parameters = {
    command: text(input['command'], MAX_COMMAND),
    cwd: truePath(folder, cwd),
    ...(isOn(input['run_in_background'] ?? input['is_background']) && { background: true }),
    ...(isOn(input['dangerouslyDisableSandbox']) && { sandbox: 'off' }),
  };
  return one({ action: 'shell.run', parameters });
}

/** Says whether a switch is on: anything but `false` may be read as on. */
function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function reading(path: string): CallIntents {
  return one({ action: 'file.read', parameters: { path } });
}

function writing({ input, cwd }: ToolEvent, files: readonly unknown[]): CallIntents {
  const sha256 = createHash('sha256').update(canonicalJson(input)).digest('hex');
  const written = files.map((file) => truePath(file, cwd));
  const intents = written.map((path) => ({ action: 'file.write', parameters: { path, sha256 } }));
  if (intents.length === 0) throw new TypeError();
  return { intents, written };
}

function addressOf(given: unknown): NonNullable<ToolIntent['parameters']> {
  const url = text(given, 2_048);
  const { protocol, hostname, username, password } = new URL(url);
  if (`${username}${password}` !== '') throw new TypeError();
  return { url, host: hostname, scheme: protocol.slice(0, -1) };
}

function mcp({ tool, input, source }: ToolEvent): CallIntents {
  const rest = tool.slice('mcp__'.length);
  const cut = rest.indexOf('__');
  if (cut < 1 || cut + 2 === rest.length) throw new TypeError();
  const server = source === undefined ? rest.slice(0, cut) : `${source}/${rest.slice(0, cut)}`;
  const action = `mcp:${server}:${rest.slice(cut + 2)}`;
  return one({ action, parameters: { args: input as never } });
}

function text(value: unknown, longest: number): string {
  if (typeof value !== 'string' || value === '' || value.length > longest) throw new TypeError();
  return value;
}
