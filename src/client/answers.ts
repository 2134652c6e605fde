/** Checks that an answer belongs to its request. Any other answer is an error. */
import { currencyCode, readAmount } from '../base/values/money.ts';
import type { VerdictReceipt } from '../records/log.ts';
import type { ReinstateInput } from '../records/state.ts';
import type { Intent, Verdict, VerdictRecord } from '../records.ts';

export function isVerdict(answer: unknown): answer is Verdict {
  const { verdict, reasons } = Object(answer) as Partial<Verdict>;
  if (!Array.isArray(reasons)) return false;
  return reasons.length === 0 ? verdict === 'ALLOW' : verdict === 'DENY';
}

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

export function verdictsFor(
  answer: unknown,
  intents: readonly Intent[] | undefined,
): readonly VerdictRecord[] | undefined {
  const { verdicts } = Object(answer) as { readonly verdicts?: unknown };
  if (!Array.isArray(verdicts) || verdicts.length !== intents?.length) return undefined;
  return intents.every((intent, index) => isVerdictFor(verdicts[index], intent)) ? verdicts : undefined;
}

export function isStateOf(statuses: readonly string[]): (answer: unknown, input: ReinstateInput) => boolean {
  return (answer, { agent_id }) => {
    const state = Object(answer) as Partial<Record<string, unknown>>;
    return state['agent_id'] === agent_id && statuses.some((status) => status === state['status']);
  };
}

export function isApprovalOf(answer: unknown, id: string): boolean {
  const approval = Object(answer) as Partial<Record<string, unknown>>;
  return approval['id'] === id && typeof approval['status'] === 'string';
}

export function isSpendOf(answer: unknown, decisionId: string): boolean {
  const spend = Object(answer) as Partial<Record<string, unknown>>;
  return spend['decision_id'] === decisionId && typeof spend['status'] === 'string';
}

/**
 * Says whether the answer can be the receipt of the verdict `id`. A receipt of the kind `record` contains the verdict,
 * so its id is compared. A receipt of the kind `block` contains a whole block of verdicts, which is not opened here.
 */
export function isReceiptOf(answer: unknown, id: string): boolean {
  const { kind, entry, proof } = Object(answer) as Partial<VerdictReceipt>;
  if (typeof entry !== 'string' || typeof proof !== 'string') return false;
  return kind === 'block' || (kind === 'record' && decisionIn(entry) === id);
}

function decisionIn(entry: string): unknown {
  try {
    const { record } = Object(JSON.parse(entry)) as { readonly record?: unknown };
    return (Object(record) as { readonly decision_id?: unknown }).decision_id;
  } catch {
    return undefined;
  }
}

export function isPage(answer: unknown): boolean {
  const { data, has_more, next_cursor } = Object(answer) as Partial<Record<string, unknown>>;
  const isLast = has_more === false && next_cursor === null;
  return Array.isArray(data) && (isLast || (has_more === true && typeof next_cursor === 'string'));
}

export function isSignedPassport(answer: unknown): boolean {
  const { token, kid, expires_at } = Object(answer) as Partial<Record<string, unknown>>;
  return [token, kid, expires_at].every((text) => typeof text === 'string');
}
