/** Whether an answer is one to what was asked: what is not is never taken for it. */
import { currencyCode } from '../base/currency.ts';
import { readAmount } from '../base/money.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { ReinstateInput } from '../state-records.ts';

/** Whether it is a verdict that says so in full, and about all of this intent. */
export function isVerdictOn(answer: unknown, intent: Intent): answer is VerdictRecord {
  const record = Object(answer) as Partial<VerdictRecord>;
  const allowed = record.verdict === 'ALLOW' && record.reasons?.length === 0;
  const denied = record.verdict === 'DENY' && (record.reasons?.length ?? 0) > 0;
  const complete = Array.isArray(record.reasons) && typeof record.decision_id === 'string';
  const { agent_id, action, target = null, parameters, dry_run = false } = Object(intent) as Intent;
  const answersThis =
    record.agent_id === agent_id &&
    record.action === action &&
    record.target === target &&
    record.amount === readAmount(parameters?.['amount']) &&
    record.currency === currencyCode(parameters?.['currency']) &&
    record.dry_run === dry_run;
  return complete && (allowed || denied) && answersThis;
}

/** What a passport is after a change. */
export interface ChangedState {
  readonly agent_id: string;
  readonly status: string;
}

/** Whether it says that this passport has one of these states now. */
export function isStateOf<State extends ChangedState>(
  answer: unknown,
  { agent_id }: ReinstateInput,
  statuses: readonly State['status'][],
): answer is State {
  const state = Object(answer) as Partial<State>;
  return state.agent_id === agent_id && statuses.some((status) => status === state.status);
}

/** Whether it is one page of a list. */
export function isPage(answer: unknown): boolean {
  const { data, has_more, next_cursor } = Object(answer) as Partial<Record<string, unknown>>;
  const isLast = has_more === false && next_cursor === null;
  return Array.isArray(data) && (isLast || (has_more === true && typeof next_cursor === 'string'));
}
