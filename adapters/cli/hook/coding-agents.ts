/** The supported coding agents. Each has its own format of events and answers. */

import { canonicalJson } from '../../../src/http/binding.ts';
import { refusal } from './refused.ts';
import { argumentsIn, folderIn, type ToolEvent, textIn, unreadable } from './tool-event.ts';
import type { HookAnswer } from './wire.ts';

export interface CodingAgent {
  readonly name: string;
  readonly title: string;
  /** The path of the coding agent's settings file, below the home folder. */
  readonly settings: string;
  /** `true` if the coding agent's settings list hooks without groups. */
  readonly isFlat?: true;
  /** The program of the coding agent. `since` is the first version whose hooks are supported. */
  readonly program: string;
  readonly since: string;
  readonly whenItFails: string;
  read(event: Readonly<Record<string, unknown>>): ToolEvent;
  canAsk(event: ToolEvent): boolean;
  /**
   * Creates the answer that lets the tool run. With `none`, the rules of the coding agent decide whether it asks the
   * person. With `allow`, the coding agent does not ask. With `ask`, the coding agent asks.
   */
  allow(how: 'none' | 'allow' | 'ask'): HookAnswer;
  deny(text: string): HookAnswer;
  /** Creates the answer that stops the agent after a tool has run. */
  stop(text: string): HookAnswer;
}

const NO_QUESTIONS: readonly string[] = ['bypassPermissions', 'dontAsk', 'auto'];
const CHOSEN: readonly unknown[] = ['user', 'managed', 'enterprise', 'claudeai', 'dynamic', 'sdk', undefined];

const claudeCode: CodingAgent = {
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

const codex: CodingAgent = {
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

const gemini: CodingAgent = {
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

const cursor: CodingAgent = {
  name: 'cursor',
  title: 'Cursor',
  settings: '.cursor/hooks.json',
  isFlat: true,
  program: 'cursor',
  since: '3.9.16',
  whenItFails: 'If the hook crashes, is late or prints garbage, Cursor blocks the call (failClosed).',
  read: (event) => toolEvent('cursor', withFolder(event), outcomeOfClaude),
  // Its schema takes a question, and nobody is asked.
  canAsk: () => false,
  allow: (how) => json(how === 'allow' ? { permission: 'allow' } : {}),
  deny: (text) => json({ permission: 'deny', user_message: text, agent_message: text }),
  stop: (text) => json({ additional_context: text }),
};

const copilot: CodingAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  settings: '.copilot/hooks/agent-identity.json',
  isFlat: true,
  program: 'copilot',
  since: '1.0.0',
  whenItFails:
    'If the hook crashes, Copilot CLI blocks the call. If it is late or prints garbage, the call RUNS.',
  read: (event) => toolEvent('copilot', withArguments(event), outcomeOfClaude),
  canAsk: () => true,
  allow: (how) =>
    json(
      how === 'none'
        ? {}
        : { permissionDecision: how, permissionDecisionReason: 'A rule of hook.json decides.' },
    ),
  // The exit code denies, whatever the JSON is taken for.
  deny: (text) => ({
    code: 2,
    stdout: JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: text }),
    stderr: `${text}\n`,
  }),
  stop: (text) => json({ additionalContext: text }),
};

export const CODING_AGENTS: readonly CodingAgent[] = [claudeCode, codex, gemini, cursor, copilot];

export function codingAgentNamed(name: string): CodingAgent {
  const codingAgent = CODING_AGENTS.find((agent) => agent.name === name);
  if (codingAgent !== undefined) return codingAgent;
  throw refusal(
    `There is no coding agent ${name}. Coding agents: ${CODING_AGENTS.map((agent) => agent.name).join(', ')}.`,
  );
}

function toolEvent(
  name: string,
  event: Readonly<Record<string, unknown>>,
  outcomeOf: (event: Readonly<Record<string, unknown>>) => ToolEvent['outcome'],
): ToolEvent {
  const phase = phaseIn(event);
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

function phaseIn(event: Readonly<Record<string, unknown>>): ToolEvent['phase'] {
  const name = textIn(event, 'hook_event_name');
  if (Object.hasOwn(PHASES, name)) return PHASES[name] as ToolEvent['phase'];
  // The event may be the one before a tool, by a name that is not known.
  if (event['tool_name'] !== undefined) throw unreadable('a hook_event_name that is known');
  return 'other';
}

/**
 * Returns the ids of a call. Gemini CLI gives none, so the time distinguishes equal calls, and the end of a call is
 * found by its input.
 */
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

/**
 * Adds the session and the folder to an event of Cursor. Without `cwd`, the folder is only certain if there is a single
 * workspace folder.
 */
function withFolder(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { session_id, conversation_id, cwd, workspace_roots: roots } = event;
  const [root] = Array.isArray(roots) && roots.length === 1 ? (roots as readonly unknown[]) : [];
  return { ...event, session_id: session_id ?? conversation_id, cwd: cwd || root };
}

/** Adds a name for the text of a patch, which Copilot CLI passes without a member name. */
function withArguments(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { tool_input } = event;
  return typeof tool_input === 'string' ? { ...event, tool_input: { patch: tool_input } } : event;
}

const PHASES: Readonly<Record<string, ToolEvent['phase']>> = {
  BeforeTool: 'before',
  AfterTool: 'after',
  PreToolUse: 'before',
  PostToolUse: 'after',
  PostToolUseFailure: 'after',
  preToolUse: 'before',
  postToolUse: 'after',
  postToolUseFailure: 'after',
};

function outcomeOfClaude(event: Readonly<Record<string, unknown>>): ToolEvent['outcome'] {
  return /^postToolUse$/i.test(String(event['hook_event_name'])) ? 'succeeded' : 'failed';
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
