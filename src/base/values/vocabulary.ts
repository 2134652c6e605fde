/**
 * The closed sets of words in the API, each in the order in which it is shown. Calls of `wordsOf` are marked as pure,
 * so that a bundler removes unused sets.
 */

import type { ApprovalKind, ApprovalStatus } from '../../records/approval.ts';
import type { AuditType } from '../../records/audit.ts';
import type { ComparisonResult } from '../../records/comparison.ts';
import type { DomainStatus } from '../../records/domain.ts';
import type { EventType } from '../../records/event.ts';
import type { MemberStatus } from '../../records/member.ts';
import type { Outcome } from '../../records/outcome.ts';
import type {
  Webhook,
  WebhookDelivery,
  WebhookDisabledReason,
  WebhookFormat,
} from '../../records/webhook.ts';
import type {
  ApiKeyStatus,
  BudgetWindow,
  Environment,
  Plan,
  ProofRequirement,
  ReasonCode,
  Role,
  SpendStatus,
  Verdict,
} from '../../records.ts';

/** The environments of keys. */
export const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];

/** The plans of accounts. */
export const PLANS: readonly Plan[] = /* @__PURE__ */ wordsOf<Plan>({
  starter: true,
  team: true,
  enterprise: true,
});

/** The roles of members, from the fewest rights to the most. */
export const ROLES: readonly Role[] = /* @__PURE__ */ wordsOf<Role>({
  viewer: true,
  approver: true,
  editor: true,
  admin: true,
  owner: true,
});

/** The roles of members that decide approvals. */
export const DECIDING_ROLES: readonly Role[] = ['approver', 'admin', 'owner'];

export const MEMBER_STATUSES: readonly MemberStatus[] = /* @__PURE__ */ wordsOf<MemberStatus>({
  invited: true,
  active: true,
  removed: true,
});

/** The proofs that a passport can require from its agent. */
export const PROOF_REQUIREMENTS: readonly ProofRequirement[] = /* @__PURE__ */ wordsOf<ProofRequirement>({
  optional: true,
  identity: true,
  intent: true,
});

export const API_KEY_STATUSES: readonly ApiKeyStatus[] = /* @__PURE__ */ wordsOf<ApiKeyStatus>({
  active: true,
  rotating: true,
  expired: true,
  revoked: true,
});

export const DOMAIN_STATUSES: readonly DomainStatus[] = /* @__PURE__ */ wordsOf<DomainStatus>({
  claimed: true,
  pending: true,
  proven: true,
  lapsed: true,
  lost: true,
});

/** The two verdicts. */
export const VERDICTS: readonly Verdict['verdict'][] = /* @__PURE__ */ wordsOf<Verdict['verdict']>({
  ALLOW: true,
  DENY: true,
});

export const REASON_CODES: readonly ReasonCode[] = /* @__PURE__ */ wordsOf<ReasonCode>({
  agent_not_found: true,
  agent_revoked: true,
  agent_suspended: true,
  agent_expired: true,
  agent_not_yet_valid: true,
  action_denied: true,
  action_not_allowed: true,
  target_invalid: true,
  target_required: true,
  target_not_allowed: true,
  amount_invalid: true,
  amount_required: true,
  currency_invalid: true,
  currency_mismatch: true,
  amount_over_limit: true,
  usage_required: true,
  parameter_required: true,
  parameter_not_allowed: true,
  session_required: true,
  parent_not_found: true,
  parent_denied: true,
  proof_required: true,
  proof_invalid: true,
  proof_expired: true,
  rule_failed: true,
  permit_unavailable: true,
  token_unavailable: true,
  proof_replayed: true,
  history_unknown: true,
  order_required: true,
  order_forbidden: true,
  pace_exceeded: true,
  budget_exceeded: true,
  budget_unknown: true,
  too_many_holds: true,
  approval_required: true,
  approval_pending: true,
  approval_rejected: true,
  approval_expired: true,
  approval_used: true,
  approval_mismatch: true,
});

/** The windows of budgets: first calendar windows, then rolling windows, each from the shortest to the longest. */
export const BUDGET_WINDOWS: readonly BudgetWindow[] = /* @__PURE__ */ wordsOf<BudgetWindow>({
  hour: true,
  day: true,
  week: true,
  month: true,
  year: true,
  lifetime: true,
  rolling_hour: true,
  rolling_day: true,
  rolling_week: true,
  rolling_month: true,
});

export const SPEND_STATUSES: readonly SpendStatus[] = /* @__PURE__ */ wordsOf<SpendStatus>({
  held: true,
  committed: true,
  released: true,
  lapsed: true,
});

/** The outcomes of verdicts. Stored blocks contain their positions, so a new outcome must come last. */
export const OUTCOMES: readonly Outcome[] = /* @__PURE__ */ wordsOf<Outcome>({
  succeeded: true,
  failed: true,
  not_attempted: true,
  unknown: true,
});

export const OUTCOME_STATES: readonly (Outcome | 'none')[] = /* @__PURE__ */ wordsOf<Outcome | 'none'>({
  succeeded: true,
  failed: true,
  not_attempted: true,
  unknown: true,
  none: true,
});

export const APPROVAL_STATUSES: readonly ApprovalStatus[] = /* @__PURE__ */ wordsOf<ApprovalStatus>({
  pending: true,
  approved: true,
  rejected: true,
  used: true,
  expired: true,
});

export const APPROVAL_KINDS: readonly ApprovalKind[] = ['intent', 'change'];

export const COMPARISON_RESULTS: readonly ComparisonResult[] = /* @__PURE__ */ wordsOf<ComparisonResult>({
  equal: true,
  narrower: true,
  wider: true,
  crossing: true,
});

export const EVENT_TYPES: readonly EventType[] = /* @__PURE__ */ wordsOf<EventType>({
  'passport.created': true,
  'passport.updated': true,
  'passport.suspended': true,
  'passport.reinstated': true,
  'passport.revoked': true,
  'passport.purged': true,
  'key.created': true,
  'key.rotated': true,
  'key.updated': true,
  'key.revoked': true,
  'verdict.denied': true,
  'verdict.allowed': true,
  'outcome.succeeded': true,
  'outcome.failed': true,
  'outcome.not_attempted': true,
  'outcome.unknown': true,
  'domain.claimed': true,
  'approval.requested': true,
  'approval.decided': true,
  'spend.settled': true,
  'budget.threshold': true,
  'account.password_changed': true,
  'account.login_throttled': true,
  'member.invited': true,
  'member.joined': true,
  'member.updated': true,
  'member.removed': true,
  'member.link_created': true,
  'member.login_replaced': true,
  'member.sessions_ended': true,
  'member.signed_in': true,
  'webhook.created': true,
  'webhook.updated': true,
  'webhook.rotated': true,
  'webhook.removed': true,
  'domain.released': true,
  'domain.transferred': true,
  'account.created': true,
  'account.disabled': true,
  'account.enabled': true,
  'account.plan_changed': true,
  'subject.erased': true,
});

/** The types of entries in the audit trail. They are the types of events that are stored with a change. */
export const AUDIT_TYPES: readonly AuditType[] = /* @__PURE__ */ EVENT_TYPES.filter(
  (type): type is AuditType => !/^(?:verdict|outcome)\./.test(type),
);

export const WEBHOOK_STATUSES: readonly Webhook['status'][] = /* @__PURE__ */ wordsOf<Webhook['status']>({
  active: true,
  disabled: true,
});

export const WEBHOOK_FORMATS: readonly WebhookFormat[] = ['event', 'ocsf'];

export const WEBHOOK_DISABLED_REASONS: readonly WebhookDisabledReason[] =
  /* @__PURE__ */ wordsOf<WebhookDisabledReason>({
    account: true,
    gone: true,
    failures: true,
  });

export const DELIVERY_STATUSES: readonly WebhookDelivery['status'][] = /* @__PURE__ */ wordsOf<
  WebhookDelivery['status']
>({
  pending: true,
  delivered: true,
  failed: true,
});

/** Lists the words of closed sets. The compiler requires every word. */
/** Returns the words of a closed set, in their order in the source. */
export function wordsOf<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}

/** Joins the words for a sentence, such as `live or test`. */
export function anyOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
