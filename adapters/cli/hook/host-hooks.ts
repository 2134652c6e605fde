/** The hooks that `hook install` writes for each host. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HookHost } from './hosts.ts';
import { quoted } from './how-to-decide.ts';
import type { Handler, Hooks } from './settings-file.ts';

/** The paths in the command of a hook. */
export interface HookCommand {
  /** The absolute path of Node. */
  readonly node: string;
  /** The absolute path of `dist/hook.cjs`. */
  readonly program: string;
  /** The absolute path of the configuration. */
  readonly config: string;
  readonly waitSeconds: number;
}

/** The seconds of a hook, to which the wait for a person is added. */
const TIMEOUT_S = 30;

/** Returns the hooks for a host, by the names of its events. */
export function hooksFor(host: HookHost, command: HookCommand): Hooks {
  const { isClaude, handler } = handlerOf(host, command);
  const before: Handler = isClaude ? { ...handler, onFailure: 'block' } : handler;
  return {
    PreToolUse: { matcher: '*', hooks: [before] },
    PostToolUse: { matcher: '*', hooks: [handler] },
    ...(isClaude && { PostToolUseFailure: { matcher: '*', hooks: [handler] } }),
    SessionStart: { hooks: [handler] },
  };
}

function handlerOf(
  { name }: HookHost,
  { node, program, config, waitSeconds }: HookCommand,
): { readonly isClaude: boolean; readonly handler: Handler } {
  const timeout = TIMEOUT_S + waitSeconds;
  // Without the variables of the project: NODE_OPTIONS could load another program into the hook.
  const args = ['-i', `HOME=${homedir()}`, 'PATH=/usr/bin:/bin', node, program, name, '--config', config];
  const isClaude = name === 'claude-code';
  const env = '/usr/bin/env';
  const own = isClaude ? { command: env, args } : { command: [env, ...args.map(quoted)].join(' ') };
  return { isClaude, handler: { type: 'command', ...own, timeout } };
}

/** Returns the settings file of a host: of the user, or of the administrator. */
export function settingsPath(host: HookHost, scope: 'user' | 'managed'): string {
  if (scope === 'user') return join(homedir(), host.settings);
  if (host.name === 'codex') return '/etc/codex/requirements.toml';
  return process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json';
}
