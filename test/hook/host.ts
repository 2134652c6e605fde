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
  readonly command: string;
  readonly args?: readonly string[];
  readonly timeout: number;
  readonly onFailure?: string;
}

type HostName = 'claude-code' | 'codex' | 'gemini';

const SETTINGS = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
} as const;
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
      return self.send(host === 'gemini' ? asGemini(event) : event);
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

function handlersFor(settings: string, name: string): readonly Handler[] {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as {
    hooks: Record<string, readonly { hooks: readonly Handler[] }[]>;
  };
  return (hooks[name] ?? []).flatMap((group) => group.hooks);
}

async function runHandler(
  host: HostName,
  { command, args, timeout, onFailure }: Handler,
  event: object,
  home: string,
  {
    raw,
    env = {},
    isWhole = true,
    onStart,
    timeoutMs = host === 'gemini' ? timeout : timeout * 1_000,
  }: SendOptions,
): Promise<HostResult> {
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
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const ms = performance.now() - started;
  const failsOpen = host !== 'claude-code' || onFailure !== 'block';
  return { ...resultOf(code, written, failsOpen), code, ms };
}

/** Takes an answer as the host does. */
function resultOf(
  code: number | null,
  { stdout, stderr }: { stdout: string; stderr: string },
  failsOpen: boolean,
): Pick<HostResult, 'what' | 'text'> {
  const failed = {
    what: failsOpen ? ('runs' as const) : ('blocked' as const),
    text: `failed: ${stdout}${stderr}`,
  };
  if (code === 2) return { what: 'blocked', text: stderr };
  if (code !== 0) return failed;
  let answer: { continue?: boolean; stopReason?: string; hookSpecificOutput?: Record<string, string> };
  try {
    answer = JSON.parse(stdout);
  } catch {
    return failed;
  }
  if (answer.continue === false) return { what: 'stopped', text: answer.stopReason ?? '' };
  const { permissionDecision, permissionDecisionReason: text = '' } = answer.hookSpecificOutput ?? {};
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
