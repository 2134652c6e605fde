import { howToGoOn } from '../base/async/guarded-call.ts';
import { createOutcomeReports, type ReportsOn } from '../base/async/outcome-reports.ts';
import { isSession, isSubject } from '../base/values/subject.ts';
import { warn } from '../base/warn.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { type CheckedApprovals, checkApprovals, type GuardApprovals } from './approvals.ts';
import { accessFor, type ReadAccess } from './call-access.ts';
import { requireKnown, requireOption } from './require-option.ts';
import type { ToolCall, ToolMapping, ToolRule, ToolVerdict, Verifier } from './tool-call.ts';
import { type ReadIntent, readerOf, readerWithoutRule } from './tool-rule.ts';

/** The options of `createToolGuard`. */
export interface ToolGuardOptions {
  /** The source of verdicts: the service itself, or `createIdentityClient`. */
  readonly verifier: Verifier;
  /**
   * The agent that makes the calls, such as `did:web:example.com:agents:shopper`. Use a function if the agent depends
   * on the call. Absent only with `access`.
   */
  readonly agentId?: string | ((call: ToolCall) => string);
  /**
   * Takes the agent and the user from the access token of the request, for example with `accessOf` of
   * `agent-identity-service/tokens`. The guard denies a call without a verified token, and an action that is not in the
   * scope of the token.
   */
  readonly access?: ReadAccess;
  /**
   * The tool mappings by tool name. A mapping turns calls of the tool into intents. Without a mapping, only the action
   * is evaluated.
   */
  readonly tools?: Readonly<Record<string, ToolRule | ToolMapping>>;
  /**
   * The text before the tool name in an action. For example, with the prefix `github:` the pattern `github:*` in a
   * passport covers all its tools.
   */
  readonly prefix?: string;
  /** The names of tools that run without a verdict. Every other tool is evaluated. */
  readonly unjudged?: readonly string[];
  /** The part of a DENY that the model sees. Default `message`: fixed sentences. `full` adds facts such as the limit. */
  readonly explain?: Explain;
  /** The milliseconds after which a call without a verdict is denied; default 2,000. */
  readonly timeoutMs?: number;
  /** The mode. `observe` only makes dry runs and stops no call. Default: `enforce`. */
  readonly mode?: 'enforce' | 'observe';
  /**
   * Returns an idempotency key for a call that has a permanent id, such as an order number. For 24 hours, all runs with
   * this key and the same intent spend from budgets only once. Default: a new key for each run.
   */
  readonly idempotencyKey?: (call: ToolCall) => string;
  /**
   * Returns the `approval_id` of a call that a person has approved, and `undefined` for any other call. Use it if a
   * framework calls the tools. With `run`, set `approval_id` in the call instead.
   */
  readonly approvalId?: (call: ToolCall) => string | undefined;
  /**
   * Lets a call continue after a person has approved it. If the same call is repeated in any process, it finds its
   * approval. Absent: a call must name its `approval_id`.
   */
  readonly approvals?: GuardApprovals;
  /**
   * The user or system for whom the agent acts, as an opaque id that you choose. `undefined`: none. Use a function if
   * it depends on the call. A tool mapping may return another subject. If the function throws or returns an invalid
   * subject, the call is denied.
   */
  readonly subject?: string | ((call: ToolCall) => string | undefined);
  /**
   * The run of the agent, for rules of order: 1 to 128 printable ASCII characters without a space. Use a function if it
   * depends on the call. Your application must choose it; never take it from the arguments or from a model. If the
   * function throws or returns an invalid session, the call is denied.
   */
  readonly session?: string | ((call: ToolCall) => string);
  /**
   * `true` if the guard reports the outcome of each run to `outcomes` of the verifier; default `true`. A report never
   * makes a tool fail. A report delays the result only if a rule of order counts the outcome.
   */
  readonly outcomes?: boolean;
  /** Called once for each call. Exceptions of the function are ignored. */
  readonly onVerdict?: (call: ToolCall, verdict: ToolVerdict) => void;
}

/** The checked options with their defaults. */
export interface CheckedOptions {
  readonly verifier: Verifier;
  readonly agentId: string | ((call: ToolCall) => string);
  readonly access: ReadAccess | undefined;
  readonly readers: ReadonlyMap<string, ReadIntent>;
  /**
   * Reads the calls of tools without a tool mapping. Throws if a server may take the name for the name of a
   * mapped tool, for example because it ignores upper case.
   */
  readonly otherwise: ReadIntent;
  readonly unjudged: ReadonlySet<string>;
  /**
   * Returns the action of a tool. Returns `undefined` if the tool runs without a verdict, or its action comes from the
   * arguments.
   */
  actionOf(tool: string): string | undefined;
  readonly explain: Explain;
  readonly timeoutMs: number;
  readonly isObserving: boolean;
  /** Reports the outcomes of runs. */
  readonly reportsOn: ReportsOn;
  readonly idempotencyKey: ((call: ToolCall) => unknown) | undefined;
  readonly approvalId: ((call: ToolCall) => unknown) | undefined;
  readonly approvals: CheckedApprovals | undefined;
  readonly subject: string | ((call: ToolCall) => unknown) | undefined;
  readonly session: string | ((call: ToolCall) => unknown) | undefined;
  readonly onVerdict: ((call: ToolCall, verdict: ToolVerdict) => unknown) | undefined;
}

const NAMES: readonly string[] = [
  ...['verifier', 'agentId', 'tools', 'prefix', 'unjudged', 'explain', 'timeoutMs', 'mode', 'onVerdict'],
  'access',
  ...['idempotencyKey', 'approvalId', 'approvals', 'subject', 'session', 'outcomes'],
];

/**
 * Returns a copy of the options with their defaults.
 *
 * @throws {IdentityError} `invalid_configuration` with advice.
 */
export function checkGuardOptions(givenOptions: ToolGuardOptions): CheckedOptions {
  const options: ToolGuardOptions = { ...givenOptions };
  requireKnown(options, NAMES, 'there is no option ');
  const { verifier, tools = {}, prefix = '', unjudged = [], access } = options;
  const { onVerdict, idempotencyKey, approvalId, subject, session } = options;
  const agentId = access === undefined ? options.agentId : agentOf(options, access);
  const { explain = 'message', timeoutMs = 2_000, mode = 'enforce', outcomes = true } = options;
  const { verify } = Object(verifier) as Partial<Verifier>;
  requireOption(typeof verify === 'function', 'verifier must have verify: pass a service or a client.');
  requireOption(
    typeof agentId === 'function' || (typeof agentId === 'string' && /^.{1,512}$/s.test(agentId)),
    'agentId must be the id of an agent, such as did:web:example.com:agents:shopper, or a function.',
  );
  requireOption(
    subject === undefined || typeof subject === 'function' || isSubject(subject),
    'subject must be a text of 1 to 256 characters without control characters, or a function of the call.',
  );
  requireOption(
    session === undefined || typeof session === 'function' || isSession(session),
    'session must be a text of 1 to 128 printable ASCII characters without a space, or a function of the call.',
  );
  requireOption(typeof prefix === 'string', 'prefix must be a text such as github:.');
  requireOption(
    Array.isArray(unjudged) && unjudged.every((name) => typeof name === 'string'),
    'unjudged must be a list of names of tools.',
  );
  requireOption(['code', 'message', 'full'].includes(explain), 'explain must be code, message or full.');
  // The longest time of a timer.
  requireOption(
    typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < 2 ** 31,
    'timeoutMs must be a number of milliseconds.',
  );
  requireOption(mode === 'enforce' || mode === 'observe', 'mode must be enforce or observe.');
  requireOption(typeof outcomes === 'boolean', 'outcomes must be true or false.');
  for (const [name, hook] of Object.entries({ onVerdict, idempotencyKey, approvalId, access })) {
    requireOption(
      hook === undefined || typeof hook === 'function',
      `${name} must be a function of the call.`,
    );
  }
  requireOption(typeof tools === 'object' && tools !== null, 'tools must be rules by the names of tools.');
  const rules = new Map(Object.entries(tools));
  const readers = new Map([...rules].map(([name, rule]) => [name, readerOf(name, rule, prefix)]));
  const sharedName = unjudged.find((name) => readers.has(name));
  requireOption(
    sharedName === undefined,
    `${JSON.stringify(sharedName)} is unjudged and has a rule: choose one.`,
  );
  const isObserving = mode === 'observe';
  // A guard that stops nothing must not be mistaken for one that does.
  if (isObserving) warn('A tool guard only observes: it stops no tool.');
  // Of a run that a guard only observes there is a dry run alone.
  const receiver = outcomes && !isObserving ? verifier.outcomes : undefined;
  return {
    reportsOn: createOutcomeReports(receiver, warn),
    verifier,
    agentId: agentId as CheckedOptions['agentId'],
    access,
    readers,
    otherwise: readerWithoutRule(prefix, [...readers.keys()]),
    onVerdict,
    unjudged: new Set(unjudged),
    actionOf(tool) {
      const rule = rules.get(tool);
      const { action = prefix + tool } = Object(rule) as ToolRule;
      const isFixed = !unjudged.includes(tool) && typeof rule !== 'function' && !action.startsWith('/');
      return isFixed ? action : undefined;
    },
    explain,
    timeoutMs,
    isObserving,
    idempotencyKey,
    approvalId,
    subject,
    session,
    approvals: options.approvals === undefined ? undefined : checkApprovals(options.approvals, verifier),
  };
}

function agentOf({ agentId }: ToolGuardOptions, access: ReadAccess): (call: ToolCall) => string {
  requireOption(agentId === undefined, 'agentId and access are both set: choose one.');
  return (call) => accessFor(access, call).agent_id;
}

/** The part of a DENY that the model sees: codes, fixed sentences, or also the facts. */
export type Explain = 'code' | 'message' | 'full';

export const UNREADABLE: readonly Reason[] = Object.freeze([
  Object.freeze({ code: 'intent_unreadable', message: 'The call cannot be read.' }),
]);

export function isVerdictOn(answer: unknown, intent: Intent): answer is VerdictRecord {
  const { verdict, reasons, agent_id, action, target, dry_run, decision_id } = Object(
    answer,
  ) as Partial<VerdictRecord>;
  return (
    Array.isArray(reasons) &&
    verdict === (reasons.length === 0 ? 'ALLOW' : 'DENY') &&
    reasons.every(isReason) &&
    typeof decision_id === 'string' &&
    agent_id === intent.agent_id &&
    action === intent.action &&
    target === (intent.target ?? null) &&
    dry_run === (intent.dry_run ?? false)
  );
}

function isReason(reason: unknown): boolean {
  const { code, message } = Object(reason) as Partial<Reason>;
  return typeof code === 'string' && typeof message === 'string';
}

/** Returns a text such as `DENY dec_…: The amount is over the limit. (amount_over_limit) The tool was not run.` */
export function denialText(
  record: VerdictRecord | null,
  reasons: readonly Reason[],
  explain: Explain,
  ending: string = howToGoOn(reasons, 'call'),
): string {
  const why = reasons.map((reason) => reasonText(reason, explain)).join(' ');
  const id = record === null ? '' : ` ${record.decision_id}`;
  return `DENY${id}: ${why} The tool was not run.${ending}`;
}

function reasonText({ code, message, ...facts }: Reason, explain: Explain): string {
  if (explain === 'code') return `${code}.`;
  if (explain === 'message') return `${message} (${code})`;
  const particulars = Object.entries(facts).map(([name, value]) => `, ${name} ${value}`);
  return `${message} (${code}${particulars.join('')})`;
}
