/** The entity and the activity in OCSF for each type of change. */
import type { AuditType } from '../records/audit.ts';

export type EntityType =
  | 'Passport'
  | 'API Key'
  | 'Member'
  | 'Webhook'
  | 'Domain'
  | 'Approval'
  | 'Spend'
  | 'Account';

const ACTIVITIES = {
  Create: 1,
  Update: 3,
  Delete: 4,
  Enable: 8,
  Disable: 9,
  Suspend: 12,
  Resume: 13,
  Other: 99,
} as const;

export interface Activity {
  readonly entity: EntityType;
  readonly activity_id: number;
  readonly activity_name: string;
}

type Row = readonly [entity: EntityType, activity: keyof typeof ACTIVITIES];

/** A row for each type of change. A sign-in has no row, because it belongs to another class. */
const ROWS: Readonly<Record<Exclude<AuditType, 'member.signed_in'>, Row>> = {
  'passport.created': ['Passport', 'Create'],
  'passport.updated': ['Passport', 'Update'],
  'passport.suspended': ['Passport', 'Suspend'],
  'passport.reinstated': ['Passport', 'Resume'],
  'passport.revoked': ['Passport', 'Delete'],
  'passport.purged': ['Passport', 'Delete'],
  'key.created': ['API Key', 'Create'],
  'key.rotated': ['API Key', 'Other'],
  'key.updated': ['API Key', 'Update'],
  'key.revoked': ['API Key', 'Delete'],
  'domain.claimed': ['Domain', 'Other'],
  'domain.released': ['Domain', 'Delete'],
  'domain.transferred': ['Domain', 'Other'],
  'approval.requested': ['Approval', 'Other'],
  'approval.decided': ['Approval', 'Other'],
  'spend.settled': ['Spend', 'Other'],
  'budget.threshold': ['Passport', 'Other'],
  'member.invited': ['Member', 'Other'],
  'member.joined': ['Member', 'Other'],
  'member.updated': ['Member', 'Update'],
  'member.removed': ['Member', 'Delete'],
  'member.link_created': ['Member', 'Other'],
  'member.login_replaced': ['Member', 'Other'],
  'member.sessions_ended': ['Member', 'Other'],
  'webhook.created': ['Webhook', 'Create'],
  'webhook.updated': ['Webhook', 'Update'],
  'webhook.rotated': ['Webhook', 'Other'],
  'webhook.removed': ['Webhook', 'Delete'],
  'account.created': ['Account', 'Create'],
  'account.disabled': ['Account', 'Disable'],
  'account.enabled': ['Account', 'Enable'],
  'account.password_changed': ['Account', 'Other'],
  'account.plan_changed': ['Account', 'Other'],
  'account.login_throttled': ['Account', 'Other'],
  'subject.erased': ['Account', 'Other'],
};

export function activityOf(type: string): Activity | undefined {
  if (!Object.hasOwn(ROWS, type)) return undefined;
  const [entity, activity] = ROWS[type as keyof typeof ROWS];
  const name = activity === 'Other' ? type.slice(type.indexOf('.') + 1) : activity;
  return { entity, activity_id: ACTIVITIES[activity], activity_name: name };
}
