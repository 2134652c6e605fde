/** Creates the storage steps of every change of a member. */

import type { MemberRecord } from '../core/members/collections.ts';
import { type Context, now, usageCounter } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { IdentityError } from '../errors.ts';
import type { Change } from '../ports/storage.ts';
import type { EventData } from '../records/event.ts';

const MAX_MEMBERS = 1_000;

type MemberEvent = {
  [Type in keyof EventData]: Type extends `member.${string}`
    ? Type extends 'member.signed_in' | 'member.sessions_ended'
      ? never
      : Type
    : never;
}[keyof EventData];

export function memberEvent(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  type: MemberEvent,
  { id: member_id, account_id, role }: MemberRecord,
  changed_by: string,
): Change {
  return eventOf(context, type, { account_id, data: { member_id, role, changed_by } });
}

export function memberCountStep(context: Pick<Context, 'clock'>, account_id: string, delta: 1 | -1): Change {
  const counter = usageCounter('members', account_id);
  return { op: 'add', counter, by: delta, at: now(context), ...(delta === 1 && { max: MAX_MEMBERS }) };
}

export function tooManyMembers(): IdentityError {
  return new IdentityError(
    'plan_limit_reached',
    `An account has at most ${MAX_MEMBERS} members. Remove one first.`,
  );
}
