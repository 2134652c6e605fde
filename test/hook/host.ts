/** An agent host that is played: it runs what `hook install` wrote, and takes the answer as the host does. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openFolder, runProcess } from '../support/process.ts';

/** The result of an event for the host. */
export interface HostResult {
  /** `runs`: the tool runs; `asks`: the host asks the person in front of it. */
  readonly what: 'runs' | 'asks' | 'blocked' | 'stopped';
  readonly text: string;
  readonly code: number | null;
  readonly ms: number;
}

/** A home folder with a project, and a host in it. */
export interface Home {
  readonly home: string;
  readonly project: string;
  readonly config: string;
  readonly storage: string;
  readonly settings: string;
  /** Runs `agent-identity` as the user. */
  cli(...args: readonly string[]): ReturnType<typeof runProcess>;
  /** Sends an event to each hook for it. */
  send(event: Readonly<Record<string, unknown>>, how?: SendOptions): Promise<HostResult>;
  /** Sends the event before a tool. */
  call(tool: string, input: object, more?: object): Promise<HostResult>;
}

interface SendOptions {
  readonly raw?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the input; default true. */
  readonly isWhole?: boolean;
  /** Called with the hook process. */
  readonly onStart?: (pid: number) => void;
  readonly timeoutMs?: number;
}

interface Handler {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly bash?: string;
  readonly timeout?: number;
  readonly timeoutSec?: number;
  readonly onFailure?: string;
  readonly failClosed?: boolean;
}

export type HostName = 'claude-code' | 'codex' | 'gemini' | 'cursor' | 'copilot';

const SETTINGS = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  cursor: '.cursor/hooks.json',
  copilot: '.copilot/hooks/agent-identity.json',
} as const;

/** What each host does by itself when a hook fails: a crash, a hook that is late, and output that it cannot read. */
const FAILS: Readonly<
  Record<HostName, (handler: Handler) => readonly [crash: boolean, late: boolean, garbage: boolean]>
> = {
  'claude-code': ({ onFailure }) => [onFailure === 'block', onFailure === 'block', onFailure === 'block'],
  codex: () => [false, false, false],
  gemini: () => [false, false, false],
  cursor: ({ failClosed = false }) => [failClosed, failClosed, failClosed],
  copilot: () => [true, false, false],
};

/** The event before a tool, as each host tells it. */
const TOLD: Readonly<Record<HostName, (event: Record<string, unknown>) => Record<string, unknown>>> = {
  'claude-code': (event) => event,
  codex: (event) => event,
  gemini: asGemini,
  cursor: asCursor,
  copilot: asCopilot,
};
let count = 0;

/** Opens a home folder for a host; its resident process ends with the test. */
export function openHome(host: HostName = 'claude-code'): Home {
  const { folder: home, remove } = openFolder();
  const project = join(home, 'project');
  mkdirSync(project);
  const config = join(home, '.agent-identity', 'hook.json');
  const settings = join(home, SETTINGS[host]);
  onTestFinished(async () => {
    await endResidents(config);
    remove();
  });
  const self: Home = {
    ...{ home, project, config, settings, storage: `sqlite:${home}/.agent-identity/passports.db` },
    cli: (...args) => runProcess(args, { cwd: project, env: { HOME: home } }),
    async send(event, how = {}) {
      const handlers = handlersFor(settings, String(event['hook_event_name']));
      if (handlers.length === 0) throw new Error('No hook is installed.');
      const results = await Promise.all(
        handlers.map((handler) => runHandler(host, handler, event, home, how)),
      );
      return results.find(({ what }) => what !== 'runs') ?? (results[0] as HostResult);
    },
    call(tool, input, more = {}) {
      const event = before(project, tool, input, more);
      return self.send(TOLD[host](event));
    },
  };
  return self;
}

/** Makes the event before a tool. */
export function before(cwd: string, tool: string, input: object, more: object = {}): Record<string, unknown> {
  count += 1;
  return {
    ...{ session_id: 's1', transcript_path: '/dev/null', cwd, permission_mode: 'default' },
    ...{ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: `toolu_${count}` },
    ...more,
  };
}

/** Makes the event of Gemini CLI: without an id, and with a time. */
export function asGemini({
  tool_use_id,
  permission_mode: _,
  ...event
}: Record<string, unknown>): Record<string, unknown> {
  return {
    ...event,
    hook_event_name: 'BeforeTool',
    timestamp: `2026-11-29T12:00:00.${String(tool_use_id)}Z`,
  };
}

/** Makes the event of Cursor: with a conversation and the folders of the workspace, and often without `cwd`. */
export function asCursor({ session_id, permission_mode: _, cwd, ...event }: Record<string, unknown>) {
  return {
    ...event,
    hook_event_name: 'preToolUse',
    conversation_id: session_id,
    generation_id: 'g1',
    workspace_roots: [cwd],
    cwd: '',
  } as Record<string, unknown>;
}

/** Makes the event of Copilot CLI for names such as PreToolUse: without an id, and with a time. */
export function asCopilot({
  tool_use_id,
  permission_mode: _,
  transcript_path: __,
  ...event
}: Record<string, unknown>) {
  return { ...event, timestamp: `2026-11-29T12:00:00.${String(tool_use_id)}Z` } as Record<string, unknown>;
}

function handlersFor(settings: string, name: string): readonly Handler[] {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as {
    hooks: Record<string, readonly (Handler & { hooks?: readonly Handler[] })[]>;
  };
  return (hooks[name] ?? []).flatMap((group) => group.hooks ?? [group]);
}

async function runHandler(
  host: HostName,
  handler: Handler,
  event: object,
  home: string,
  { raw, env = {}, isWhole = true, onStart, timeoutMs = timeOf(host, handler) }: SendOptions,
): Promise<HostResult> {
  const { command = handler.bash ?? '', args } = handler;
  const started = performance.now();
  // A host gives the hook its own environment, with the variables of the project.
  const environment = { PATH: process.env['PATH'], HOME: home, ...env };
  const child =
    args === undefined
      ? spawn('/bin/sh', ['-c', command], { env: environment })
      : spawn(command, args, { env: environment });
  if (child.pid !== undefined) onStart?.(child.pid);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  child.stdin.on('error', () => undefined);
  child.stdin.write(raw ?? JSON.stringify(event));
  if (isWhole) child.stdin.end();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const ms = performance.now() - started;
  const [crash, late, garbage] = FAILS[host](handler);
  const closed = { crash: isLate ? late : crash, garbage };
  return { ...resultOf(code, written, closed), code, ms };
}

function timeOf(host: HostName, { timeout = 0, timeoutSec = timeout }: Handler): number {
  return host === 'gemini' ? timeout : timeoutSec * 1_000;
}

interface HostAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, string>>;
  readonly permission?: string;
  readonly user_message?: string;
  readonly permissionDecision?: string;
  readonly permissionDecisionReason?: string;
}

/** Takes an answer as the host does. */
function resultOf(
  code: number | null,
  { stdout, stderr }: { stdout: string; stderr: string },
  closed: { readonly crash: boolean; readonly garbage: boolean },
): Pick<HostResult, 'what' | 'text'> {
  const failed = (isClosed: boolean) => ({
    what: isClosed ? ('blocked' as const) : ('runs' as const),
    text: `failed: ${stdout}${stderr}`,
  });
  if (code === 2) return { what: 'blocked', text: stderr };
  if (code !== 0) return failed(closed.crash);
  let answer: HostAnswer;
  try {
    answer = JSON.parse(stdout);
  } catch {
    return failed(closed.garbage);
  }
  if (answer.continue === false) return { what: 'stopped', text: answer.stopReason ?? '' };
  const { permission, user_message, hookSpecificOutput: own = answer as Record<string, string> } = answer;
  const { permissionDecision = permission, permissionDecisionReason: text = user_message ?? '' } = own;
  if (permissionDecision === 'deny') return { what: 'blocked', text };
  if (permissionDecision === 'ask') return { what: 'asks', text };
  return { what: 'runs', text: stdout };
}

/** Ends the resident process of a configuration, by the path in its arguments. */
async function endResidents(config: string): Promise<void> {
  for (const pid of residentsOf(config)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** Returns the ids of the resident processes of a configuration. */
export function residentsOf(config: string): readonly number[] {
  return execFileSync('ps', ['-eo', 'pid,args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('hook serve') && line.includes(config))
    .map((line) => Number(line.trim().split(' ')[0]));
}
