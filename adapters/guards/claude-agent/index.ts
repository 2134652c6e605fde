/** The entry point `./guard/claude-agent`: guards the tools of the Claude Agent SDK. Tested with 0.3.330. */
import { assertToolGuard, IdentityError, type ToolGuard, type ToolRun } from '../../../src/guard/index.ts';
import { canonicalJson } from '../../../src/http/binding.ts';
import { knownOptions, type OptionNames } from '../../../src/ports/index.ts';

/** @public */
export type { ToolGuard } from '../../../src/guard/index.ts';

/** The options of `guardOptions`. */
export interface ClaudeGuardOptions {
  /**
   * The seconds after which Claude Code blocks a call without a verdict, 1 to 3,600; default 660. It must exceed the
   * time that the guard waits for a person.
   */
  readonly timeout?: number;
}

const OPTIONS: OptionNames<ClaudeGuardOptions> = { timeout: true };

interface HookEvent {
  readonly session_id: string;
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  readonly is_interrupt?: boolean;
}

type Callback = (input: HookEvent, id: string | undefined, how: { signal: AbortSignal }) => Promise<object>;
type Hooks = Readonly<Record<string, readonly object[] | undefined>>;
type GivenOptions = {
  readonly hooks?: Hooks;
  readonly extraArgs?: object;
  readonly env?: Readonly<Record<string, string | undefined>>;
};

interface OpenRun {
  readonly run: ToolRun;
  readonly intent: string;
}

const MAX_RUNS = 10_000;

/**
 * Returns options for `query` with a guard. Each tool runs only on ALLOW, in every permission mode, and the model gets
 * the reasons of a DENY. A hook that fails or takes too long blocks the call. Your own hooks run after the guard.
 *
 * @throws {IdentityError} `invalid_configuration` for options that start Claude Code without hooks.
 */
export function guardOptions<Options extends object>(
  options: Options,
  guard: ToolGuard,
  how: ClaudeGuardOptions = {},
): Options {
  assertToolGuard(guard);
  knownOptions('guardOptions', how, OPTIONS);
  const { timeout = 660 } = how;
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > 3_600)
    throw unfit('timeout must be a whole number of seconds from 1 to 3600.');
  const givenOptions = options as GivenOptions;
  assertHooked(givenOptions);
  const { before, succeeded, failed } = callbacksOf(guard);
  const ownHooks = {
    PreToolUse: { hooks: [before], onFailure: 'block', timeout },
    PostToolUse: { hooks: [succeeded] },
    PostToolUseFailure: { hooks: [failed] },
  };
  const addedHooks = Object.entries(ownHooks).map(([name, group]) => [
    name,
    [group, ...(givenOptions.hooks?.[name] ?? [])],
  ]);
  return { ...options, hooks: { ...givenOptions.hooks, ...Object.fromEntries(addedHooks) } };
}

/** Throws for options with which Claude Code silently calls no hooks. */
function assertHooked({ extraArgs = {}, env }: GivenOptions): void {
  if (Object.hasOwn(extraArgs, 'bare')) throw unfit('extraArgs.bare starts Claude Code without hooks.');
  const { process } = globalThis as { process?: { readonly env: NonNullable<GivenOptions['env']> } };
  const { CLAUDE_CODE_SIMPLE: simple = '' } = env ?? process?.env ?? {};
  if (simple !== '')
    throw unfit('The variable CLAUDE_CODE_SIMPLE starts Claude Code without hooks: remove it.');
}

function callbacksOf(guard: ToolGuard): Readonly<Record<'before' | 'succeeded' | 'failed', Callback>> {
  const runs = new Map<string, OpenRun>();

  function intentText({ tool_name: name, tool_input: args }: HookEvent, context: unknown): string {
    return canonicalJson(guard.intentOf({ name, args, context }));
  }

  const callbackBefore: Callback = async (event, _id, { signal }) => {
    const { tool_name: name, tool_input: args } = event;
    // A call that comes again takes once.
    const idempotency_key = keyOf(event);
    try {
      const run = await guard.begin({ name, args, signal, idempotency_key, context: event });
      const [oldest] = runs.keys();
      if (runs.size >= MAX_RUNS && oldest !== undefined) void take(oldest)?.run.failed('unknown');
      if (run.record !== null) runs.set(idempotency_key, { run, intent: intentText(event, event) });
      return {};
    } catch (error) {
      if (!(error instanceof IdentityError) || error.code !== 'tool_denied') throw error;
      const { message: permissionDecisionReason } = error;
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason,
        },
      };
    }
  };

  function take(key: string): OpenRun | undefined {
    const open = runs.get(key);
    runs.delete(key);
    return open;
  }

  async function end(event: HookEvent, outcome: 'succeeded' | 'failed' | 'unknown'): Promise<object> {
    const open = take(keyOf(event));
    if (open === undefined) return {};
    const { run, intent } = open;
    if (intentText(event, event) !== intent) {
      await run.failed('unknown');
      const stopReason =
        'The input of the tool changed after the verdict: another hook may have rewritten it.';
      return { continue: false, stopReason };
    }
    if (outcome === 'succeeded') await run.done();
    else await run.failed(outcome);
    return {};
  }

  return {
    before: callbackBefore,
    succeeded: (event) => end(event, 'succeeded'),
    failed: (event) => end(event, event.is_interrupt ? 'unknown' : 'failed'),
  };
}

function keyOf({ session_id, tool_use_id }: HookEvent): string {
  return `${session_id}:${tool_use_id}`;
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
