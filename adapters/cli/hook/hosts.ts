/** The agent hosts: how each tells an event, and takes an answer. */

import { canonicalJson } from '../../../src/http/binding.ts';
import { argumentsIn, folderIn, type ToolEvent, textIn } from './host-event.ts';
import { refusal } from './refused.ts';
import type { HookAnswer } from './wire.ts';

/** The answers of a hook, as one host takes them. */
export interface HookHost {
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** Its settings, below the home folder. */
  readonly settings: string;
  /** Its command, and the first version whose hooks this command supports. */
  readonly program: string;
  readonly since: string;
  /** Says what the host does when the hook fails. */
  readonly whenItFails: string;
  /** Reads an event. Throws a refusal if it cannot be read. */
  read(event: Readonly<Record<string, unknown>>): ToolEvent;
  canAsk(event: ToolEvent): boolean;
  /** Lets the tool run, by the rules of the host, without its question, or after it. */
  allow(how: 'none' | 'allow' | 'ask'): HookAnswer;
  deny(text: string): HookAnswer;
  /** Stops the agent after a tool. */
  stop(text: string): HookAnswer;
}

const NO_QUESTIONS: readonly string[] = ['bypassPermissions', 'dontAsk', 'auto'];
const CHOSEN: readonly unknown[] = ['user', 'managed', 'enterprise', 'claudeai', 'dynamic', 'sdk', undefined];

const claudeCode: HookHost = {
  name: 'claude-code',
  title: 'Claude Code',
  settings: '.claude/settings.json',
  program: 'claude',
  since: '2.1.295',
  whenItFails: 'If the hook crashes, is late or prints garbage, Claude Code blocks the call (onFailure).',
  read: (event) => toolEvent('claude-code', event, outcomeOfClaude),
  canAsk: ({ mode }) => !NO_QUESTIONS.includes(mode),
  allow: (how) => (how === 'none' ? json({}) : decision(how, 'A rule of hook.json asks.')),
  deny: (text) => decision('deny', text),
  stop: (text) => json({ continue: false, stopReason: text }),
};

const codex: HookHost = {
  name: 'codex',
  title: 'Codex',
  settings: '.codex/hooks.json',
  program: 'codex',
  since: '0.124.0',
  whenItFails: 'If the hook crashes, is late or prints garbage, Codex RUNS the call (openai/codex #41979).',
  read: (event) => toolEvent('codex', event, () => 'unknown'),
  canAsk: () => false,
  allow: () => json({}),
  // Codex runs the call if its JSON has an unknown member. The exit code has none.
  deny: (text) => ({ code: 2, stdout: '', stderr: `${text}\n` }),
  stop: (text) => json({ continue: false, stopReason: text }),
};

const gemini: HookHost = {
  name: 'gemini',
  title: 'Gemini CLI',
  settings: '.gemini/settings.json',
  program: 'gemini',
  since: '0.26.0',
  whenItFails: 'If the hook crashes, is late or prints garbage, Gemini CLI RUNS the call.',
  read: (event) => toolEvent('gemini', event, outcomeOfGemini),
  canAsk: () => false,
  allow: () => json({}),
  deny: (text) => ({ code: 2, stdout: '', stderr: `${text}\n` }),
  stop: (text) => json({ continue: false, stopReason: text }),
};

/** The supported hosts by their names. */
export const HOSTS: readonly HookHost[] = [claudeCode, codex, gemini];

/** Returns the host with this name. Throws a refusal if there is none. */
export function hostNamed(name: string): HookHost {
  const host = HOSTS.find((one) => one.name === name);
  if (host !== undefined) return host;
  throw refusal(`There is no host ${name}. Hosts: ${HOSTS.map((one) => one.name).join(', ')}.`);
}

function toolEvent(
  name: string,
  event: Readonly<Record<string, unknown>>,
  outcomeOf: (event: Readonly<Record<string, unknown>>) => ToolEvent['outcome'],
): ToolEvent {
  const phase = PHASES[textIn(event, 'hook_event_name')] ?? 'other';
  const { permission_mode: mode, mcp_server: server } = event;
  const { source } = Object(server) as { readonly source?: unknown };
  return {
    phase,
    name,
    session: textIn(event, 'session_id'),
    cwd: folderIn(event),
    tool: phase === 'other' ? '' : textIn(event, 'tool_name'),
    input: phase === 'other' ? {} : argumentsIn(event),
    ...callIdsIn(event, phase),
    mode: typeof mode === 'string' ? mode : '',
    source: CHOSEN.includes(source) ? undefined : String(source),
    outcome: outcomeOf(event),
  };
}

/** Returns the ids of a call. Gemini CLI gives none: the time tells two equal calls, and an end is found by its input. */
function callIdsIn(
  event: Readonly<Record<string, unknown>>,
  phase: ToolEvent['phase'],
): Pick<ToolEvent, 'callId' | 'endId'> {
  if (phase === 'other') return { callId: '', endId: '' };
  if (event['tool_use_id'] !== undefined || event['timestamp'] === undefined) {
    const callId = textIn(event, 'tool_use_id');
    return { callId, endId: callId };
  }
  const endId = canonicalJson([event['tool_name'], event['tool_input']]);
  return { callId: `${textIn(event, 'timestamp')} ${endId}`, endId };
}

const PHASES: Readonly<Record<string, ToolEvent['phase']>> = {
  BeforeTool: 'before',
  AfterTool: 'after',
  PreToolUse: 'before',
  PostToolUse: 'after',
  PostToolUseFailure: 'after',
};

function outcomeOfClaude(event: Readonly<Record<string, unknown>>): ToolEvent['outcome'] {
  return event['hook_event_name'] === 'PostToolUse' ? 'succeeded' : 'failed';
}

function outcomeOfGemini({ tool_response }: Readonly<Record<string, unknown>>): ToolEvent['outcome'] {
  const { error } = Object(tool_response) as { readonly error?: unknown };
  return error === undefined || error === null ? 'succeeded' : 'failed';
}

function decision(
  permissionDecision: 'allow' | 'ask' | 'deny',
  permissionDecisionReason: string,
): HookAnswer {
  return json({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  });
}

function json(value: object): HookAnswer {
  return { code: 0, stdout: JSON.stringify(value), stderr: '' };
}
