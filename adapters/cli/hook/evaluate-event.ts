/** Evaluates an event of a coding agent. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import {
  createToolGuard,
  hasDisguisedName,
  IdentityError,
  type ToolCall,
  type ToolGuard,
  type ToolIntent,
  type ToolRule,
  type ToolRun,
} from '../../../src/guard/index.ts';
import { canonicalJson } from '../../../src/http/binding.ts';
import { type CodingAgent, codingAgentNamed } from './coding-agents.ts';
import { folderOf, type HookConfig, readHookConfig } from './config.ts';
import { howToDecide } from './hook-settings.ts';
import { type CallIntents, intentsOf, isWriter } from './intents.ts';
import { HookRefusal } from './refused.ts';
import { endRuns, type HookSession } from './session.ts';
import { readEvent, type ToolEvent } from './tool-event.ts';
import { isWithin } from './trusted-file.ts';
import type { HookAnswer } from './wire.ts';

export interface EventInput {
  readonly host: string;
  /** The absolute path of the configuration. */
  readonly config: string;
  readonly event: Uint8Array;
  readonly onWait?: (seconds: number) => void;
  readonly isDryRun?: boolean;
}

interface HookCall {
  readonly host: CodingAgent;
  readonly event: ToolEvent;
  readonly config: HookConfig;
  /** The intents; `undefined` if the call cannot be read. */
  readonly read: CallIntents | undefined;
  /** The idempotency key. A hook that is installed twice then takes from budgets only once. */
  readonly key: string;
  /** The name with which the runs of the call are found after its tool has ended. */
  readonly endKey: string;
}

/** Evaluates one event. Throws a refusal, which blocks the call. */
export async function evaluateEvent(session: HookSession, input: EventInput): Promise<HookAnswer> {
  const codingAgent = codingAgentNamed(input.host);
  const event = codingAgent.read(readEvent(input.event));
  const config = await readHookConfig(input.config, event.cwd);
  if (event.phase === 'other') return codingAgent.allow('none');
  const key = digestOf([codingAgent.name, event.session, event.callId]);
  const endKey = digestOf([codingAgent.name, event.session, event.endId]);
  const call: HookCall = { host: codingAgent, event, config, read: tryIntents(event), key, endKey };
  if (event.phase === 'after') return settle(session, call);
  const stop = stopOf(call);
  if (stop !== undefined) return codingAgent.deny(denial(stop));
  if (config.unjudged?.includes(event.tool)) return codingAgent.allow('none');
  if (config.waitSeconds > 0) input.onWait?.(config.waitSeconds);
  return session.once(`${key} ${intentsText(call)}`, () => ask(session, call, input.isDryRun === true));
}

/** Returns the answer that blocks a tool because its event was not evaluated. The message contains no secret. */
export function blocked(error: unknown): HookAnswer {
  const isOurs = error instanceof HookRefusal || error instanceof IdentityError;
  const problem = isOurs ? error.message : 'The hook has failed.';
  return { code: 2, stdout: '', stderr: `agent-identity: ${oneLine(problem)} The tool was not run.\n` };
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

function tryIntents(event: ToolEvent): CallIntents | undefined {
  try {
    return intentsOf(event);
  } catch {
    return undefined;
  }
}

const SENTENCES = {
  intent_unreadable: 'The call cannot be read.',
  protected_path: 'The file steers hooks.',
  ask_unavailable: 'A person must be asked, and this coding agent cannot ask now.',
} as const;

function stopOf({ host: codingAgent, event, config, read }: HookCall): keyof typeof SENTENCES | undefined {
  const { file, rules, key, storage, tools } = config;
  const ownPaths = [
    packageFolder(),
    process.execPath,
    folderOf({ file }),
    ...[rules, key?.replace(/^file:/, ''), storage?.replace(/^sqlite:/, '')],
  ];
  const places = ownPaths.filter(
    (place) => place?.startsWith('/') || /^[A-Za-z]:/.test(place ?? ''),
  ) as string[];
  if (read?.written.some((path) => isProtected(path, places))) return 'protected_path';
  const rule = ruleOf(config, event.tool);
  if (rule?.ask && !codingAgent.canAsk(event)) return 'ask_unavailable';
  // A file that cannot be read may be one that steers hooks.
  if (rule !== undefined) return read === undefined && isWriter(event) ? 'intent_unreadable' : undefined;
  const isDisguised = hasDisguisedName({ [event.tool]: true }, Object.keys(tools));
  return read === undefined || isDisguised ? 'intent_unreadable' : undefined;
}

function ruleOf({ tools }: HookConfig, tool: string): HookConfig['tools'][string] | undefined {
  return Object.hasOwn(tools, tool) ? tools[tool] : undefined;
}

async function ask(session: HookSession, call: HookCall, isDryRun: boolean): Promise<HookAnswer> {
  const { host: codingAgent, event, config } = call;
  const guard = await guardOf(session, call);
  const calls = callsOf(call);
  const isAhead = isDryRun || calls.length > 1;
  for (const call of isAhead ? calls : []) {
    const verdict = await guard.judge(call, { dry_run: true });
    const isAsked = !verdict.allowed && verdict.reasons[0]?.code === 'approval_required' && !isDryRun;
    if (!verdict.allowed && !isAsked) return codingAgent.deny(oneLine(verdict.text));
  }
  const runs: ToolRun[] = [];
  for (const call of isDryRun ? [] : calls) {
    try {
      runs.push(await guard.begin(call));
    } catch (error) {
      await Promise.all(runs.map((run) => run.undo()));
      return codingAgent.deny(deniedText(error, config));
    }
  }
  await session.keep(call.endKey, { runs, intents: intentsText(call) });
  const isAsking = ruleOf(config, event.tool)?.ask === true;
  return codingAgent.allow(isAsking ? 'ask' : (config.on_allow ?? 'none'));
}

/** Returns one call for each intent; a tool with a rule has only one. */
function callsOf({ event, config, read, key }: HookCall): readonly ToolCall[] {
  const intents = ruleOf(config, event.tool) === undefined ? (read?.intents ?? []) : [undefined];
  return intents.map((_, context) => ({
    name: event.tool,
    args: event.input,
    context,
    idempotency_key: `${key}-${context}`,
  }));
}

async function guardOf(session: HookSession, { event, config, read }: HookCall): Promise<ToolGuard> {
  const {
    agent: agentId,
    subject,
    session: sessionSource,
    explain,
    timeout_ms: timeoutMs = 5_000,
    approval_url: url,
    waitSeconds,
  } = config;
  const { ask: _, ...rule } = Object(ruleOf(config, event.tool)) as ToolRule & { ask?: boolean };
  const ownIntent = (_args: unknown, { context }: { context?: unknown }): ToolIntent =>
    read?.intents[Number(context)] as ToolIntent;
  const hasRule = ruleOf(config, event.tool) !== undefined;
  return createToolGuard({
    verifier: await session.verifierOf(config),
    agentId,
    timeoutMs,
    tools: { [event.tool]: hasRule ? rule : ownIntent },
    // Without a resident process, nobody learns how the tool ends.
    outcomes: session.isResident,
    approvals: { waitMs: waitSeconds * 1_000, ...(url !== undefined && { url }) },
    ...(subject !== undefined && { subject }),
    // A session that does not fit denies the call.
    ...(sessionSource === 'host' && { session: () => event.session }),
    ...(explain !== undefined && { explain }),
  });
}

async function settle(session: HookSession, call: HookCall): Promise<HookAnswer> {
  const { host: codingAgent, event, endKey } = call;
  const keptRuns = session.take(endKey);
  if (keptRuns === undefined) return codingAgent.allow('none');
  const isSame = keptRuns.intents === intentsText(call);
  await endRuns(keptRuns.runs, isSame ? event.outcome : 'unknown');
  return isSame
    ? codingAgent.allow('none')
    : codingAgent.stop(
        'The input of the tool changed after the verdict: another hook may have rewritten it.',
      );
}

/** Returns the intents of a call as one text. A different text shows that the call has changed. */
function intentsText({ event, config, read }: HookCall): string {
  const isRuled = ruleOf(config, event.tool) !== undefined;
  return canonicalJson(isRuled ? event.input : (read?.intents ?? null));
}

function denial(code: keyof typeof SENTENCES): string {
  return `DENY: ${SENTENCES[code]} (${code}) The tool was not run.`;
}

function deniedText(error: unknown, config: HookConfig): string {
  if (!(error instanceof IdentityError))
    return 'DENY: There is no verdict. (verdict_unavailable) The tool was not run.';
  const { approval } = error.details as {
    readonly approval?: { readonly id: string; readonly url?: string };
  };
  return oneLine(`${error.message}${howToDecide(config, approval)}`);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 4_000);
}

export function packageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('agent-identity-service/package.json');
  return realpathSync(dirname(manifest));
}

// The files that control hooks. Tools must not write them.

const STEERING: readonly RegExp[] = [
  /\/\.claude\/settings[^/]*\.json$/,
  /\/\.codex\/config\.toml$/,
  /\/hooks\.json$/,
  /\/\.gemini\/settings\.json$/,
  /\/\.github\/hooks(?:\/|$)/,
  /\/\.github\/copilot\/settings[^/]*\.json$/,
  /\/\.copilot(?:\/|$)/,
  /\/\.mcp\.json$/,
  /\/(?:managed-settings|managed-mcp)[^/]*(?:\/|\.json$)/,
  /^\/etc\/(?:claude-code|codex|cursor|gemini-cli|github-copilot)(?:\/|$)/,
  /\/application support\/(?:claudecode|cursor|geminicli)(?:\/|$)/,
];

/** Says whether the file controls hooks. `ownPaths` has the files and folders of the hook itself. */
function isProtected(path: string, ownPaths: readonly string[]): boolean {
  const foldedPath = path.toLowerCase();
  if (STEERING.some((pattern) => pattern.test(foldedPath))) return true;
  return ownPaths.some((place) => isWithin(foldedPath, realOf(place).toLowerCase()));
}

function realOf(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return place;
  }
}
