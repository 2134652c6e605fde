/** Creates a guard, which asks for a verdict before each tool call. */
import { assertFunction, toolDenied } from '../base/async/guarded-call.ts';
import type { ReportOutcome } from '../base/async/outcome-reports.ts';
import { type Pause, pauseOf } from '../base/async/pause.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import { createCallAnswers, type JudgeOptions } from './answer-call.ts';
import type { Answered } from './answered.ts';
import type { NeededApproval } from './approvals.ts';
import { type CheckedOptions, checkGuardOptions, type ToolGuardOptions } from './guard-options.ts';
import { copyArguments } from './plain-arguments.ts';
import { intentOf, ownCall } from './run-keys.ts';
import type { RunSpend } from './run-spend.ts';
import type { ToolCall, ToolRun, ToolVerdict } from './tool-call.ts';

/** Evaluates tool calls, and runs the allowed ones. */
export interface ToolGuard {
  /** The names of the tools that run without a verdict. */
  readonly unjudged: readonly string[];
  /** The names of the tools that have a tool mapping. */
  readonly ruleNames: readonly string[];
  /**
   * Evaluates a call. Never rejects: without a verdict, the call is denied. An ALLOW spends from budgets. Use `dry_run`
   * for a call that is evaluated again when it runs.
   */
  judge(call: ToolCall, options?: JudgeOptions): Promise<ToolVerdict>;
  /**
   * Returns the approval that this call needs now. Returns `undefined` if it needs none, or is denied for another
   * reason. Requests an approval if there is none yet, and spends nothing. Never rejects. Absent without the option
   * `approvals`.
   */
  approvalFor?(call: ToolCall): Promise<NeededApproval | undefined>;
  /**
   * Returns the status of an approval. Returns `undefined` if it cannot be read. Never rejects. Absent without the
   * option `approvals`.
   */
  approvalStatus?(id: string): Promise<string | undefined>;
  /** Returns the intent of a call without a verify request. Returns `undefined` for a call that cannot be read. */
  intentOf(call: ToolCall): Intent | undefined;
  /**
   * Evaluates a call. If it is allowed, returns its run. If the signal of the call is aborted, throws the reason of the
   * signal. Use `begin` in adapters with tools that end after their function has returned.
   *
   * @throws {IdentityError} `tool_denied` if the call is denied, with `details.record` and `details.reasons`.
   */
  begin(call: ToolCall): Promise<ToolRun>;
  /**
   * Evaluates a call. If it is allowed, runs the tool with the evaluated arguments and the verdict record, and returns
   * its result. Commits a hold after the tool has succeeded.
   *
   * If the framework stops the tool in order to call it again, the next run of the call continues this run. `run`
   * recognizes this by the error of LangGraph (`interrupt`) or MCP. With other frameworks, `execute` must call `pause`
   * before it returns.
   *
   * @throws {IdentityError} `tool_denied` as `begin`.
   * @throws {IdentityError} `invalid_configuration` if `execute` is not a function.
   */
  run<T>(
    call: ToolCall,
    execute: (args: unknown, record: VerdictRecord | null, pause: () => void) => T | Promise<T>,
  ): Promise<T>;
}

const optionsByGuard = new WeakMap<object, CheckedOptions>();

/** @internal Returns `true` if `createToolGuard` created the guard. Another object could let everything run. */
export function isToolGuard(guard: unknown): guard is ToolGuard {
  return optionsByGuard.has(Object(guard));
}

/** The properties of a guard that a list of tools needs. */
export interface ToolListing {
  readonly verifier: ToolGuardOptions['verifier'];
  readonly agentId: NonNullable<ToolGuardOptions['agentId']>;
  /** The time limit for a verdict in milliseconds. */
  readonly timeoutMs: number;
  /** `true` if the guard stops no calls. */
  readonly isObserving: boolean;
  /**
   * Returns the action of a tool. Returns `undefined` if the tool runs without a verdict, or its action comes from the
   * arguments.
   */
  actionOf(tool: string): string | undefined;
}

/**
 * Returns the properties of a guard that a list of tools needs. Returns `undefined` for an object that
 * `createToolGuard` did not create.
 *
 * @example
 * import { createToolGuard, toolListing } from 'agent-identity-service/guard';
 *
 * const verifier = { verify: async () => Promise.reject(new Error('away')) };
 * const agentId = 'did:web:example.com:agents:shopper';
 * const guard = createToolGuard({ verifier, agentId, tools: { pay: { action: 'payments.create' } } });
 * console.log(toolListing(guard)?.actionOf('pay')); // payments.create
 */
export function toolListing(guard: ToolGuard): ToolListing | undefined {
  return optionsByGuard.get(guard);
}

/**
 * Creates a guard for the tools of an agent.
 *
 * @throws {IdentityError} `invalid_configuration` for invalid options.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { createToolGuard } from 'agent-identity-service/guard';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const verifier = createIdentityService({ storage: memoryStorage() });
 * const [domain, agent_name] = ['example.com', 'writer'];
 * const may = { allowed_actions: ['mail.send'], monetary_limit_per_txn: 0 };
 * const { agent_id: agentId } = await verifier.passports.create({ domain, agent_name, ...may });
 * const guard = createToolGuard({ verifier, agentId, tools: { send: { action: 'mail.send' } } });
 * const call = { name: 'send', args: { to: 'ada' } };
 * console.log(await guard.run(call, ({ to }) => `Sent to ${to}.`)); // Sent to ada.
 */
export function createToolGuard(givenOptions: ToolGuardOptions): ToolGuard {
  const options = checkGuardOptions(givenOptions);
  const answers = createCallAnswers(options);
  const { approvals } = options;
  const guard: ToolGuard = {
    ...(approvals && {
      approvalFor: (call) => answers.neededFor(call, approvals),
      approvalStatus: (id) => approvals.statusOf(id),
    }),
    unjudged: Object.freeze([...options.unjudged]),
    ruleNames: Object.freeze([...options.readers.keys()]),
    intentOf: (call) => tryIntent(call, options),
    judge: (call, how) => answers.answer(call, how).then(verdictOf),
    async begin(call) {
      const answer = await answers.answer(call);
      const { verdict, spend, idempotency_key, call: evaluatedCall } = answer;
      const report = options.reportsOn(verdict.allowed ? verdict.record : null);
      const wait = (pause: Pause): void => answers.wait(answer, pause);
      if (evaluatedCall.signal?.aborted) {
        if (verdict.allowed) giveUp(answer, report, wait);
        throw evaluatedCall.signal.reason;
      }
      if (!verdict.allowed) throw toolDenied(verdict.text, verdict.record, verdict.reasons, verdict.approval);
      const { intent, hasTaken } = spend;
      return {
        args: evaluatedCall.args,
        record: verdict.record,
        idempotency_key,
        ...(intent && { intent }),
        hasTaken,
        ...endsOf(spend, report, wait),
      };
    },
    async run(call, execute) {
      assertFunction('run(call, execute)', execute);
      const run = await guard.begin(call);
      let isPaused = false;
      const pause = (): void => {
        isPaused = true;
      };
      let result: Awaited<ReturnType<typeof execute>>;
      try {
        result = await execute(run.args, run.record, pause);
      } catch (error) {
        const stoppedPause = isPaused ? 'same call' : pauseOf(error);
        if (stoppedPause === undefined) await run.failed();
        else run.pause(stoppedPause);
        throw error;
      }
      if (isPaused) run.pause();
      else await run.done();
      return result;
    },
  };
  optionsByGuard.set(guard, options);
  return Object.freeze(guard);
}

function tryIntent(call: ToolCall, options: CheckedOptions): Intent | undefined {
  try {
    const evaluatedCall = ownCall(call);
    evaluatedCall.args = copyArguments(evaluatedCall.args);
    return intentOf(evaluatedCall, options, false);
  } catch {
    return undefined;
  }
}

/** Ends an allowed run after its call was aborted. A run that continues an earlier run becomes paused again. */
function giveUp({ spend, continued }: Answered, report: ReportOutcome, wait: (pause: Pause) => void): void {
  if (continued === undefined) {
    report('not_attempted');
    void spend.undo();
  } else wait(continued);
}

function endsOf(
  spend: RunSpend,
  report: ReportOutcome,
  wait: (pause: Pause) => void,
): Pick<ToolRun, 'done' | 'undo' | 'failed' | 'threw' | 'pause' | 'keepHold'> {
  async function failed(outcome: 'failed' | 'unknown' = 'failed'): Promise<void> {
    // A tool whose end nobody knows may have run.
    if (outcome === 'unknown') await Promise.all([report(outcome), spend.done()]);
    else {
      spend.letExpire();
      await report(outcome);
    }
  }

  return {
    failed,
    async done() {
      await Promise.all([report('succeeded'), spend.done()]);
    },
    undo() {
      report('not_attempted');
      return spend.undo();
    },
    threw(error) {
      const pause = pauseOf(error);
      if (pause === undefined) void failed();
      else wait(pause);
      return pause !== undefined;
    },
    pause: (next = 'same call') => wait(next),
    keepHold: spend.keepHold,
  };
}

function verdictOf({ verdict }: Answered): ToolVerdict {
  return verdict;
}
