/** Logs security events. The README of the service lists them with their facts. */
import type { LogEvent } from '../../ports/storage.ts';
import type { Instant } from '../../records.ts';
import type { Actor } from './callers.ts';
import { accountOf, authorOf, type Context } from './context.ts';

/** The names of the events. They are stable, because readers of the log depend on them. */
export type SecurityEvent =
  | 'account.login_failed'
  | 'account.login_throttled'
  | 'account.registration_throttled'
  | 'account.created'
  | 'account.password_changed'
  | 'account.sessions_ended'
  | 'account.plan_changed'
  | 'account.disabled'
  | 'account.enabled'
  | 'account.deleted'
  | 'domain.claimed'
  | 'domain.proven'
  | 'domain.claim_ended'
  | 'domain.lapsed'
  | 'domain.released'
  | 'domain.transferred'
  | 'key.refused'
  | 'key.created'
  | 'key.updated'
  | 'key.rotated'
  | 'key.revoked'
  | 'passport.created'
  | 'passport.updated'
  | 'passport.purged'
  | 'passport.suspended'
  | 'passport.reinstated'
  | 'passport.revoked'
  | 'approval.approved'
  | 'approval.rejected'
  | 'member.invited'
  | 'member.link_created'
  | 'member.joined'
  | 'member.login_replaced'
  | 'member.updated'
  | 'member.removed'
  | 'member.sessions_ended'
  | 'member.sign_in_refused'
  | 'signing_key.created'
  | 'signing_key.rotated'
  | 'signing_key.revoked'
  | 'signing_key.resealed'
  | 'subject.erased'
  | 'token.refused'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.rotated'
  | 'webhook.disabled'
  | 'webhook.removed'
  | 'webhook.resealed';

export const SECURITY_EVENTS: Readonly<
  Record<SecurityEvent, readonly [level: LogEvent['level'], message: string]>
> = {
  'account.login_failed': ['warn', 'A login was refused: the e-mail or the password is wrong.'],
  'account.login_throttled': ['warn', 'A login was refused: there were too many failures.'],
  'account.registration_throttled': ['warn', 'An account was not opened: there were too many attempts.'],
  'account.created': ['info', 'An account was opened.'],
  'account.password_changed': ['info', 'The password of an account was changed, and its sessions ended.'],
  'account.sessions_ended': ['info', 'An account ended all its sessions.'],
  'account.plan_changed': ['info', 'An account was put on another plan.'],
  'account.disabled': ['info', 'An account was disabled, and its sessions ended.'],
  'account.enabled': ['info', 'An account was enabled.'],
  'account.deleted': ['info', 'An account was deleted, and its data is being erased.'],
  'domain.claimed': ['info', 'An account claimed a domain.'],
  'domain.proven': ['info', 'An account verified a domain.'],
  'domain.claim_ended': ['warn', 'An account lost an unverified domain to an account that verified it.'],
  'domain.lapsed': ['warn', 'A domain was not verified for three days. No passport is issued for it.'],
  'domain.released': ['info', 'A domain was released.'],
  'domain.transferred': ['info', 'A domain was given to another account.'],
  'key.refused': ['warn', 'An API key was refused.'],
  'key.created': ['info', 'An API key was created.'],
  'key.updated': ['info', 'An API key was changed.'],
  'key.rotated': ['info', 'An API key was replaced by a new one.'],
  'key.revoked': ['info', 'An API key was revoked.'],
  'passport.created': ['info', 'A passport was issued.'],
  'passport.updated': ['info', 'A passport was changed.'],
  'passport.purged': ['info', 'A passport was purged, and the data of its agent is being erased.'],
  'passport.suspended': ['info', 'A passport was suspended.'],
  'passport.reinstated': ['info', 'A passport was reinstated.'],
  'passport.revoked': ['info', 'A passport was revoked.'],
  'approval.approved': ['info', 'An intent was approved.'],
  'approval.rejected': ['info', 'An intent was rejected.'],
  'member.invited': ['info', 'A member was invited.'],
  'member.link_created': ['info', 'A link for a member was created.'],
  'member.joined': ['info', 'A member chose how to sign in, and joined.'],
  'member.login_replaced': ['info', 'The login of a member was replaced by a link, and its sessions ended.'],
  'member.updated': ['info', 'A member was changed.'],
  'member.removed': ['info', 'A member was removed, and its sessions ended.'],
  'member.sessions_ended': ['info', 'The sessions of a member were ended.'],
  'member.sign_in_refused': ['warn', 'A sign-in with an issuer was refused.'],
  'signing_key.created': ['info', 'The first signing key was made.'],
  'signing_key.rotated': ['info', 'A new signing key replaced another key.'],
  'signing_key.revoked': ['info', 'A signing key was revoked.'],
  'signing_key.resealed': ['info', 'The signing keys were encrypted with another secret.'],
  'subject.erased': ['info', 'A subject was erased from records.'],
  'token.refused': ['warn', 'An agent was refused an access token.'],
  'webhook.created': ['info', 'A webhook was created.'],
  'webhook.updated': ['info', 'A webhook was changed.'],
  'webhook.rotated': ['info', 'A webhook got a new secret.'],
  'webhook.disabled': ['warn', 'A webhook was disabled, because its URL accepts no events.'],
  'webhook.removed': ['info', 'A webhook was removed.'],
  'webhook.resealed': ['info', 'The secrets of webhooks were encrypted with another secret.'],
};

/** The data of an event: only ids, names and instants, without secrets and without text from anonymous callers. */
export interface SecurityFacts {
  readonly account_id?: string | undefined;
  readonly by?: string;
  readonly key_id?: string | undefined;
  readonly member_id?: string;
  readonly kid?: string;
  readonly webhook_id?: string;
  readonly start?: string | undefined;
  readonly reason?: string;
  readonly replaces?: string;
  readonly agent_id?: string;
  readonly approval_id?: string;
  readonly version?: number;
  readonly records?: number;
  readonly until?: Instant | null;
  readonly domain?: string;
  readonly to_account_id?: string;
  readonly plan?: string;
  readonly email_hash?: string;
  readonly address?: string | undefined;
  readonly request_id?: string | null | undefined;
}

/** Logs an event. Omits fields that are absent or `null`. */
export function logSecurityEvent(
  { log }: Pick<Context, 'log'>,
  event: SecurityEvent,
  facts: SecurityFacts,
): void {
  const [level, message] = SECURITY_EVENTS[event];
  const entries = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  log({ level, event, message, ...Object.fromEntries(entries) });
}

export function logChange(
  context: Pick<Context, 'session' | 'log'>,
  event: SecurityEvent,
  actor: Actor,
  facts: SecurityFacts = {},
): void {
  const account_id = accountOf(context, actor);
  const { request_id } = actor;
  logSecurityEvent(context, event, { account_id, by: authorOf(context, actor), ...facts, request_id });
}
