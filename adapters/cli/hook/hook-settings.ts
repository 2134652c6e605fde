/** The hooks that `hook install` writes for each coding agent. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CodingAgent } from './coding-agents.ts';
import type { HookConfig } from './config.ts';
import type { Handler, Hooks } from './settings-file.ts';

export interface HookCommand {
  /** The absolute path of Node. */
  readonly node: string;
  /** The absolute path of `dist/hook.cjs`. */
  readonly program: string;
  /** The absolute path of the configuration. */
  readonly config: string;
  readonly waitSeconds: number;
}

/** The time limit of a hook in seconds, without the wait for a person. */
const TIMEOUT_S = 30;

const EVENTS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SessionStart'],
  codex: ['PreToolUse', 'PostToolUse', 'SessionStart'],
  gemini: ['BeforeTool', 'AfterTool', 'SessionStart'],
  cursor: ['preToolUse', 'postToolUse', 'postToolUseFailure', 'sessionStart'],
  copilot: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SessionStart'],
};

export function hooksFor(codingAgent: CodingAgent, command: HookCommand): Hooks {
  const groups = (EVENTS[codingAgent.name] ?? []).map((name) => {
    const handler = handlerOf(codingAgent, command, name);
    if (codingAgent.isFlat) return [name, handler] as const;
    return [
      name,
      name === 'SessionStart' ? { hooks: [handler] } : { matcher: '*', hooks: [handler] },
    ] as const;
  });
  return Object.fromEntries(groups);
}

function handlerOf({ name }: CodingAgent, place: HookCommand, event: string): Handler {
  const { node, program, config, waitSeconds } = place;
  const seconds = TIMEOUT_S + waitSeconds;
  // Without the variables of the project: NODE_OPTIONS could load another program into the hook.
  const args = ['-i', `HOME=${homedir()}`, 'PATH=/usr/bin:/bin', node, program, name, '--config', config];
  const env = '/usr/bin/env';
  const line = [env, ...args.map(quoted)].join(' ');
  const type = 'command';
  if (name === 'claude-code') {
    const ownHandler: Handler = { type, command: env, args, timeout: seconds };
    return event === 'PreToolUse' ? { ...ownHandler, onFailure: 'block' } : ownHandler;
  }
  if (name === 'cursor') {
    const ownHandler: Handler = { type, command: line, timeout: seconds };
    return event === 'preToolUse' ? { ...ownHandler, failClosed: true } : ownHandler;
  }
  // Older versions of Copilot CLI drop a hook with `exec`, and say so in a log only.
  if (name === 'copilot') return { type, bash: line, timeoutSec: seconds };
  // Gemini CLI counts milliseconds.
  return { type, command: line, timeout: name === 'gemini' ? seconds * 1_000 : seconds };
}

export function settingsPath(codingAgent: CodingAgent, scope: 'user' | 'managed'): string {
  if (scope === 'user') return join(homedir(), codingAgent.settings);
  const [linux = '', macos = linux] = MANAGED[codingAgent.name] ?? [];
  return process.platform === 'darwin' ? macos : linux;
}

const MANAGED: Readonly<Record<string, readonly string[]>> = {
  'claude-code': [
    '/etc/claude-code/managed-settings.json',
    '/Library/Application Support/ClaudeCode/managed-settings.json',
  ],
  codex: ['/etc/codex/requirements.toml'],
  gemini: ['/etc/gemini-cli/settings.json', '/Library/Application Support/GeminiCli/settings.json'],
  cursor: ['/etc/cursor/hooks.json', '/Library/Application Support/Cursor/hooks.json'],
  copilot: ['/etc/github-copilot/policy.d/agent-identity.json'],
};

/**
 * Returns a sentence, after a space, with the command that decides the approval. Returns `''` if there is no
 * approval, or if the approval has a `url` with a page for the decision.
 */
export function howToDecide(
  { url, storage }: Pick<HookConfig, 'url' | 'storage'>,
  approval: { readonly id: string; readonly url?: string } | undefined,
): string {
  if (approval === undefined || approval.url !== undefined) return '';
  const place = url === undefined ? `--storage ${quoted(storage ?? '')}` : `--url ${quoted(url)}`;
  return ` A person decides with: agent-identity approval approve ${approval.id} ${place}`;
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
