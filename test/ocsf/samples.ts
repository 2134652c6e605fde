/** An event of every type, with texts of callers that begin lines, turn them around or end them. */
import type { EventData, EventType, IdentityEvent } from '../../src/records/event.ts';
import type { VerdictRecord } from '../../src/records.ts';

/** What a caller may send, and no `message` may hold. */
export const HOSTILE =
  'MARK\n{"class_uid":1}\r\u0085\u2028\u2029\u202e\u200b\u0000\u001b[2J\ufeff\u{e0041}\ud800"\\';

const AT = '2026-11-20T12:00:00.000Z';
const agent_id = 'did:web:example.com:agents:shopper';
const by = { changed_by: 'mem_1' };
const member = { member_id: 'mem_2', role: 'editor', ...by };
const account = { account_id: 'acc_1', ...by };
const named = { decision_id: 'dec_1', agent_id, environment: 'live', evaluated_at: AT };
const outcome = (word: string) => ({
  ...named,
  outcome: word,
  code: 'timeout',
  reported_at: AT,
  key_id: 'key_1',
});
const passport = {
  agent_id,
  version: 2,
  status: 'active',
  description: HOSTILE,
  metadata: { a: HOSTILE },
  ...by,
};
const key = { id: 'key_2', name: HOSTILE, environment: 'live', changed_by: 'key_1' };
const approval = {
  id: 'apr_1',
  kind: 'intent',
  status: 'pending',
  agent_id,
  intent: { agent_id, action: HOSTILE },
  note: HOSTILE,
};

/** A verdict with everything that a record may have. */
export const VERDICT: VerdictRecord = {
  verdict: 'DENY',
  reasons: [{ code: 'action_not_allowed', message: 'The action is not allowed.', action: HOSTILE }],
  decision_id: 'dec_1',
  agent_id,
  action: HOSTILE,
  target: HOSTILE,
  amount: '0.000001',
  currency: 'EUR',
  passport_version: 3,
  ancestor_versions: null,
  environment: 'live',
  key_id: 'key_1',
  request_id: HOSTILE,
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  dry_run: false,
  proof_kid: null,
  subject: HOSTILE,
  approval_id: 'apr_1',
  hold_seconds: null,
  verifier: null,
  permit_audience: null,
  budgets: [],
  evaluated_at: AT,
};

const DATA: Readonly<Record<EventType, object>> = {
  'passport.created': passport,
  'passport.updated': { ...passport, change: 'wider' },
  'passport.suspended': { ...passport, suspension_reason: HOSTILE },
  'passport.reinstated': passport,
  'passport.revoked': { ...passport, revocation_reason: HOSTILE },
  'passport.purged': { agent_id, ...by },
  'key.created': key,
  'key.rotated': { ...key, replaces: 'key_1' },
  'key.updated': key,
  'key.revoked': key,
  'verdict.denied': VERDICT,
  'verdict.allowed': { ...VERDICT, verdict: 'ALLOW', reasons: [], target: null, subject: null, key_id: null },
  'outcome.succeeded': outcome('succeeded'),
  'outcome.failed': outcome('failed'),
  'outcome.not_attempted': outcome('not_attempted'),
  'outcome.unknown': outcome('unknown'),
  'domain.claimed': { domain: 'example.com', ...by },
  'domain.released': { domain: 'example.com', changed_by: 'operator' },
  'domain.transferred': { domain: 'example.com', received: true, changed_by: 'operator' },
  'approval.requested': { ...approval, changed_by: 'key_1' },
  'approval.decided': { ...approval, status: 'approved', ...by },
  'budget.threshold': {
    ...{ agent_id, environment: 'live', name: 'tokens', window: 'day', warn_at: 0.8 },
    ...{ limit: 1_000, unit: 'tokens', spent: 700, held: 100 },
  },
  'spend.settled': { spend: { decision_id: 'dec_1', agent_id, status: 'committed', environment: 'live' } },
  'account.password_changed': account,
  'account.login_throttled': { account_id: 'acc_1', retry_after_seconds: 60 },
  'account.created': account,
  'account.disabled': account,
  'account.enabled': account,
  'account.plan_changed': { ...account, plan: 'team' },
  'subject.erased': { ...account, records: 3 },
  'member.invited': member,
  'member.joined': member,
  'member.updated': member,
  'member.removed': member,
  'member.link_created': member,
  'member.login_replaced': member,
  'member.sessions_ended': { member_id: 'mem_2', ...by },
  'member.signed_in': { member_id: 'mem_2', method: 'password' },
  'webhook.created': { webhook_id: 'whk_1', ...by },
  'webhook.updated': { webhook_id: 'whk_1', ...by },
  'webhook.rotated': { webhook_id: 'whk_1', ...by },
  'webhook.removed': { webhook_id: 'whk_1', ...by },
};

/** An event of the type. */
export function sampleOf<Type extends EventType>(type: Type): IdentityEvent {
  const event = {
    id: 'evt_0VZ4Hy3Wc0123456789abcdef',
    type,
    timestamp: AT,
    data: DATA[type] as EventData[Type],
  };
  return event as IdentityEvent;
}
