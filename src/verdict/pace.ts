/**
 * Evaluates paces (how many intents may be allowed in a period of a given length) and other rules about earlier
 * actions.
 */
import { type ActionSet, actionSet, matchesAction } from '../base/values/action.ts';
import { isBudgetName } from '../base/values/budget.ts';
import { formatInstant, parseInstant } from '../base/values/instant.ts';
import { isWhole, MAX_PACE, MAX_PACE_SECONDS, MAX_PACES, PACE_NAME } from '../base/values/pace.ts';
import type { AgentHistory } from '../records/asked.ts';
import type { Pace, Reason } from '../records.ts';
import type { OrderTaking } from './order.ts';
import { demand, type Elements, isRecord, membersOf, namedActions } from './read.ts';

/** @internal A pace, prepared for evaluation. */
export interface PolicyPace {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  /** The actions that the pace counts. `undefined`: every action. */
  readonly actions: ActionSet | undefined;
}

/** @internal A pace that counts an intent, with the `agent_id` of its passport. */
export interface PaceTaking {
  readonly agent_id: string;
  readonly pace: PolicyPace;
}

/** @internal The messages of the reasons about earlier actions by code, in the order in which reasons are listed. */
export const HISTORY_MESSAGES = {
  history_unknown: 'The history of the agent is not known.',
  order_required: 'An earlier action is required.',
  order_forbidden: 'An earlier action forbids it.',
  pace_exceeded: 'The agent is too fast.',
} as const;

/** @internal The reason if the earlier actions of the agent are not known. */
export const HISTORY_UNKNOWN: Reason = /* @__PURE__ */ Object.freeze({
  code: 'history_unknown',
  message: HISTORY_MESSAGES.history_unknown,
});

/** @internal Reads the paces of a passport. Returns `undefined` if there are none. Throws if a pace is not valid. */
export function pacesOf(list: unknown, elements: Elements): readonly PolicyPace[] | undefined {
  if (list === undefined) return undefined;
  const paces = elements(list).map((entry) => paceOf(entry, elements));
  demand(paces.length <= MAX_PACES && new Set(paces.map(({ name }) => name)).size === paces.length);
  return paces.length === 0 ? undefined : paces;
}

function paceOf(entry: unknown, elements: Elements): PolicyPace {
  const { name = PACE_NAME, actions, max, seconds, ...otherFields } = membersOf<keyof Pace>(entry);
  demand(Object.keys(otherFields).length === 0);
  demand(typeof name === 'string' && isBudgetName(name));
  demand(isWhole(max, MAX_PACE) && isWhole(seconds, MAX_PACE_SECONDS));
  const actionNames = namedActions(actions, elements);
  return {
    name,
    max: Number(max),
    seconds: Number(seconds),
    actions: actionNames && actionSet(actionNames),
  };
}

/** @internal Returns the paces of a passport that count an action, in their order. */
export function pacesOn(
  agent_id: string,
  paces: readonly PolicyPace[] | undefined,
  action: string,
): readonly PaceTaking[] {
  const takings: PaceTaking[] = [];
  for (const pace of paces ?? []) {
    if (pace.actions === undefined || matchesAction(pace.actions, action)) takings.push({ agent_id, pace });
  }
  return takings;
}

/** @internal Returns the reason of a pace that denies until `endMs`, in milliseconds since the Unix epoch. */
export function paceExceeded({ agent_id, pace }: PaceTaking, endMs: number): Reason {
  const { name, max, seconds } = pace;
  return {
    code: 'pace_exceeded',
    message: HISTORY_MESSAGES.pace_exceeded,
    agent_id,
    pace: name,
    max,
    seconds,
    until: formatInstant(endMs),
  };
}

/**
 * @internal Returns the reason of a rule of order that denies. `endMs` is the end of the time in which the rule forbids
 * the intent.
 */
export function orderDenied({ agent_id, order }: OrderTaking, endMs: number): Reason {
  const { name, kind } = order;
  if (kind === 'needs')
    return { code: 'order_required', message: HISTORY_MESSAGES.order_required, agent_id, order: name };
  return {
    code: 'order_forbidden',
    message: HISTORY_MESSAGES.order_forbidden,
    agent_id,
    order: name,
    until: formatInstant(endMs),
  };
}

/** @internal The rules about earlier actions that apply to an intent. */
export interface HistoryTakings {
  readonly orders: readonly OrderTaking[];
  readonly paces: readonly PaceTaking[];
}

/** @internal Returns the reasons of rules of order and of paces, given the history in the input. */
export function historyReasons(
  history: AgentHistory | undefined,
  { orders, paces }: HistoryTakings,
  atMs: number,
): readonly Reason[] {
  const reasons: Reason[] = [];
  const questions = [
    ...orders.filter(({ isChecked }) => isChecked).map((taking) => ({ taking, rule: taking.order })),
    ...paces.map((taking) => ({ taking, rule: taking.pace })),
  ];
  for (const { taking, rule } of questions) {
    const endTime = member(member(history, taking.agent_id), rule.name);
    if (endTime === null) continue;
    const instant = typeof endTime === 'string' ? parseInstant(endTime) : undefined;
    if (instant === undefined) return [HISTORY_UNKNOWN];
    if (instant <= atMs) continue;
    reasons.push('order' in taking ? orderDenied(taking, instant) : paceExceeded(taking, instant));
  }
  return reasons;
}

function member(holder: unknown, name: string): unknown {
  return isRecord(holder) ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
}
