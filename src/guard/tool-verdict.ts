/** Checks of a verifier's answer, and the text of a DENY for the model. */
import { howToGoOn } from '../base/async/guarded-deed.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';

/** The detail of a DENY that the model sees: codes, constant sentences, or the facts as well. */
export type Explain = 'code' | 'message' | 'full';

/** The reason for a call that cannot be read. */
export const UNREADABLE: readonly Reason[] = Object.freeze([
  Object.freeze({ code: 'intent_unreadable', message: 'The call cannot be read.' }),
]);

/** Says whether the answer is a complete verdict on this intent. */
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
