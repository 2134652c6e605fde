/** Whether an answer is a verdict, and the text of one for the model. */
import { howToGoOn } from '../base/guarded-deed.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';

/** What the model learns of a DENY: codes, constant sentences, or the facts as well. */
export type Explain = 'code' | 'message' | 'full';

/** The reason where a call says nothing that could be judged. */
export const UNREADABLE: readonly Reason[] = Object.freeze([
  Object.freeze({ code: 'intent_unreadable', message: 'The call cannot be read.' }),
]);

/** Whether it is a verdict in full, and about this intent. */
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

/** Such as `DENY dec_…: The amount is over the limit. (amount_over_limit) The tool was not run.` */
export function denialText(
  record: VerdictRecord | null,
  reasons: readonly Reason[],
  explain: Explain,
): string {
  const why = reasons.map((reason) => reasonText(reason, explain)).join(' ');
  const id = record === null ? '' : ` ${record.decision_id}`;
  return `DENY${id}: ${why} The tool was not run.${howToGoOn(reasons, 'call')}`;
}

function reasonText({ code, message, ...facts }: Reason, explain: Explain): string {
  if (explain === 'code') return `${code}.`;
  if (explain === 'message') return `${message} (${code})`;
  const particulars = Object.entries(facts).map(([name, value]) => `, ${name} ${value}`);
  return `${message} (${code}${particulars.join('')})`;
}
