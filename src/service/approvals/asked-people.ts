/** The people behind a question of an agent: who asks, and how many people have approved, as they are now. */

import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import { approvalPending, approvalReasons } from '../../verdict/approval.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import type { Context } from '../shared/context.ts';
import { decisionsOf, storedRule } from './approval-record.ts';
import type { ApprovalRecord } from './collections.ts';
import { barredBy, countPersons, stricterRule, takesAnyone } from './people-rule.ts';
import { decidersNow, demandOnIntent } from './present-people.ts';

/** A question of an agent that may need an approval. */
export interface AskedFor {
  readonly record: Pick<VerdictRecord, 'key_id'>;
  /** The whole intent. */
  readonly intent: Intent;
  /** The passports that may require an approval: that of the agent first. */
  readonly passports: readonly PreparedPassport[];
  /** The person for whom the host asks; absent where it names none. */
  readonly requested_by: string | undefined;
}

/** Returns the person who asks: the one that the host names, or the maker of the key; `null` where none is named. */
export async function askerOf(
  { caches }: Context,
  { requested_by, record: { key_id } }: AskedFor,
): Promise<string | null> {
  if (requested_by !== undefined) return requested_by;
  if (key_id === null) return null;
  // The maker of a key never changes.
  const at = caches.monotonic();
  const known = caches.keys.peek(key_id, at) ?? (await caches.keys.load(key_id, at));
  return known.value?.record.created_by ?? null;
}

/** Returns the reason that too few people have approved, as they and the passports are now; `undefined` if enough have. */
export async function missingPeople(
  context: Context,
  asked: AskedFor,
  found: ApprovalRecord,
): Promise<readonly Reason[] | undefined> {
  const decisions = decisionsOf(found);
  const present = demandOnIntent(asked.passports, asked.intent);
  const rule = stricterRule(storedRule(found), present.rule);
  const plain = takesAnyone(rule, 'intent');
  if (plain && decisions.length === 0) return approvalReasons('pending');
  const [asker, mayDecide] = await Promise.all([
    plain ? null : askerOf(context, asked),
    decidersNow(context, found, decisions, plain),
  ]);
  const askers = [found.requested_by ?? null, asker];
  const barred = barredBy(rule, { kind: 'intent', askers, wideners: present.wideners });
  const given = countPersons({ decisions, barred, mayDecide });
  return given >= rule.needed ? undefined : [approvalPending({ given, needed: rule.needed })];
}
