/** Checks that an answer belongs to its request: any other answer is an error. */
import { currencyCode } from '../base/values/currency.ts';
import { readAmount } from '../base/values/money.ts';
import type { ReinstateInput } from '../records/state.ts';
import type { SignedPassportToken } from '../records/token.ts';
import type { Intent, Verdict, VerdictRecord } from '../records.ts';

/** Says whether the answer is a complete verdict: an ALLOW without reasons, or a DENY with some. */
export function isVerdict(answer: unknown): answer is Verdict {
  const { verdict, reasons } = Object(answer) as Partial<Verdict>;
  if (!Array.isArray(reasons)) return false;
  return reasons.length === 0 ? verdict === 'ALLOW' : verdict === 'DENY';
}

/** Says whether the answer is a complete verdict on exactly this intent. */
export function isVerdictFor(answer: unknown, intent: Intent): answer is VerdictRecord {
  const record = Object(answer) as Partial<VerdictRecord>;
  const { agent_id, action, target = null, parameters, dry_run = false } = Object(intent) as Intent;
  const answersThis =
    record.agent_id === agent_id &&
    record.action === action &&
    record.target === target &&
    record.amount === readAmount(parameters?.['amount']) &&
    record.currency === currencyCode(parameters?.['currency']) &&
    record.dry_run === dry_run;
  return isVerdict(answer) && typeof record.decision_id === 'string' && answersThis;
}

/** Returns the verdicts of a batch when there is one for each of these intents. */
export function verdictsFor(
  answer: unknown,
  intents: readonly Intent[] | undefined,
): readonly VerdictRecord[] | undefined {
  const { verdicts } = Object(answer) as { readonly verdicts?: unknown };
  if (!Array.isArray(verdicts) || verdicts.length !== intents?.length) return undefined;
  return intents.every((intent, index) => isVerdictFor(verdicts[index], intent)) ? verdicts : undefined;
}

/** The state of a passport after a change. */
export interface ChangedState {
  readonly agent_id: string;
  readonly status: string;
}

/** Says whether the answer says that this passport now has one of these states. */
export function isStateOf<State extends ChangedState>(
  answer: unknown,
  { agent_id }: ReinstateInput,
  statuses: readonly State['status'][],
): answer is State {
  const state = Object(answer) as Partial<State>;
  return state.agent_id === agent_id && statuses.some((status) => status === state.status);
}

/** Says whether the answer is one page of a list. */
export function isPage(answer: unknown): boolean {
  const { data, has_more, next_cursor } = Object(answer) as Partial<Record<string, unknown>>;
  const isLast = has_more === false && next_cursor === null;
  return Array.isArray(data) && (isLast || (has_more === true && typeof next_cursor === 'string'));
}

/** Says whether the answer is a signed passport. */
export function isSignedPassport(answer: unknown): answer is SignedPassportToken {
  const { token, kid, expires_at } = Object(answer) as Partial<Record<string, unknown>>;
  return [token, kid, expires_at].every((text) => typeof text === 'string');
}
