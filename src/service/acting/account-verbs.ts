/** The methods of one account, in process and over HTTP alike. Types only. */

import type { Pages } from '../../base/pages.ts';
import type { AuditEntry } from '../../records/audit.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { LogEntryItem, LogOverview, VerdictReceipt } from '../../records/log.ts';
import type { ReadLink } from '../../records/member.ts';
import type { RecordedVerdict } from '../../records/outcome.ts';
import type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from '../../records/state.ts';
import type { AccountOverview, ApiKey, Page } from '../../records.ts';
import type { AccountDeletion, PasswordChange } from '../accounts/own-account.ts';
import type { LogoutInput, Session } from '../accounts/sessions.ts';
import type { EventQuery } from '../events/event-filter.ts';
import type { EvidenceQuery } from '../evidence/evidence.ts';
import type { ReceiptQuery } from '../evidence/receipts.ts';
import type { Analytics, AnalyticsQuery } from '../insight/analytics.ts';
import type { AuditFilter } from '../insight/audit.ts';
import type { VerificationFilter } from '../insight/verifications.ts';
import type { KeyPatch, KeyRotation, RotatedApiKey } from '../keys/key-changes.ts';
import type { NewApiKey, Repeatable } from '../keys/key-record.ts';
import type { KeyInput, KeyPage, KeyQuery } from '../keys/keys.ts';
import type { AcceptInput, LinkInput } from '../members/members.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { OnceOptions } from '../shared/idempotency.ts';
import type { PageRequest } from '../shared/pages.ts';
import type { SubjectErasure, SubjectInput } from '../subjects/subjects.ts';
import type {
  AdminApprovals,
  AdminDomains,
  AdminMembers,
  AdminPassports,
  ClientSpends,
} from './account-rooms.ts';

/** The keys of the account. */
export interface AdminKeys {
  /**
   * Creates a key. The request has an `Idempotency-Key`, a new one when none is given, and is sent once more when the
   * connection breaks. If a key was created but its secret was lost on the way, it rejects with `service_unreachable`,
   * with the `id` of the key in the details.
   */
  create(input: KeyInput, options?: CallOptions): Promise<NewApiKey>;
  /** Creates a key with your own `Idempotency-Key`: a repeated request gets the key without its secret. */
  create(input: KeyInput, options: CallOptions & OnceOptions): Promise<Repeatable<NewApiKey>>;
  /** Returns the first page; with `for await` every page. A page may have fewer than `limit`, with `has_more`. */
  list(query?: KeyQuery, options?: CallOptions): Pages<KeyPage>;
  /** Returns a key; `not_found` for a key of another account as for one that does not exist. */
  get(id: string, options?: CallOptions): Promise<ApiKey>;
  /** Changes name, scopes or agents. */
  update(id: string, patch: KeyPatch, options?: CallOptions): Promise<ApiKey>;
  /** Rotates a key. Sent as `create`. */
  rotate(id: string, rotation?: KeyRotation, options?: CallOptions): Promise<RotatedApiKey>;
  /** Rotates a key with your own `Idempotency-Key`: a repeated request gets the key without its secret. */
  rotate(
    id: string,
    rotation: KeyRotation,
    options: CallOptions & OnceOptions,
  ): Promise<Repeatable<RotatedApiKey>>;
  /** Revokes the key for good. */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

/** The recorded verdicts, as far as a key sees them. */
export interface ClientVerifications {
  /**
   * Returns the receipt of a verdict: of one with a permit, that record alone, to keys as well; of any other, which
   * needs its `evaluated_at`, all records of its block. `conflict` before the verdict has its leaf.
   */
  receipt(decisionId: string, query?: ReceiptQuery, options?: CallOptions): Promise<VerdictReceipt>;
}

/** The recorded verdicts of the account. */
export interface AdminVerifications extends ClientVerifications {
  /** Lists the verdicts, newest first: the first page, with `for await` every page. */
  list(query?: VerificationFilter & PageRequest, options?: CallOptions): Pages<Page<RecordedVerdict>>;
  /** Streams the whole list as CSV. Rejects when the stream breaks off. */
  csv(filter?: VerificationFilter, options?: CallOptions): Promise<AsyncIterable<string>>;
}

/** The log of the account. `not_found` while it is off, or has no leaf. */
export interface AdminEvidence {
  /** Returns the state of the log, with the keys that verify it. */
  state(options?: CallOptions): Promise<LogOverview>;
  /** Lists the entries, newest first: the first page, with `for await` every page. */
  entries(query?: EvidenceQuery, options?: CallOptions): Pages<Page<LogEntryItem>>;
}

/** The audit of the account. */
export interface AdminAudit {
  /** Lists the changes, newest first: the first page, with `for await` every page. */
  list(query?: AuditFilter & PageRequest, options?: CallOptions): Pages<Page<AuditEntry>>;
  /** Streams the whole list as CSV. Rejects when the stream breaks off. */
  csv(filter?: AuditFilter, options?: CallOptions): Promise<AsyncIterable<string>>;
}

/** The subjects that intents name. */
export interface AdminSubjects {
  /** Erases a subject from records; repeat it while `has_more` is true. */
  erase(input: SubjectInput, options?: CallOptions): Promise<SubjectErasure>;
}

/** The methods of one account that every service has. */
export interface AccountVerbs {
  /** The API keys. */
  readonly keys: AdminKeys;
  /** The passports of the agents. */
  readonly passports: AdminPassports;
  /** The members: people with roles, and the links with which they join. */
  readonly members: AdminMembers;
  /** The domains and their proofs. */
  readonly domains: AdminDomains;
  /** The amounts that verdicts have spent of budgets, or hold. */
  readonly spends: ClientSpends;
  /** The approvals that people are asked for, and their decisions. */
  readonly approvals: AdminApprovals;
  /** The recorded verdicts. */
  readonly verifications: AdminVerifications;
  /** The changes of the account, each with its author. */
  readonly audit: AdminAudit;
  /** The log of the account, which cannot be rewritten unseen. */
  readonly evidence: AdminEvidence;
  /** The subjects that intents name, and their erasure. */
  readonly subjects: AdminSubjects;
  /** Returns sums over the recorded verdicts. */
  analytics(query?: AnalyticsQuery, options?: CallOptions): Promise<Analytics>;
  /**
   * Streams the events of the account, from now on or after `after`, each once. After a break it connects again, and
   * continues after the last event. Rejects on a permanent error as the other calls do, and with the reason of the
   * signal that ends it.
   */
  events(query?: EventQuery, options?: CallOptions): AsyncIterable<IdentityEvent>;
  /** Revokes a passport for good. */
  revoke(input: RevokeInput, options?: CallOptions): Promise<Revocation>;
  /** Suspends a passport, until an instant or until it is reinstated. */
  suspend(input: SuspendInput, options?: CallOptions): Promise<Suspension>;
  /** Ends a suspension. */
  reinstate(input: ReinstateInput, options?: CallOptions): Promise<Reinstatement>;
  /** Returns the account with its usage and limits. */
  account(options?: CallOptions): Promise<AccountOverview>;
  /**
   * Changes the password, which ends every session of the account. This client signs in with the new one from then on.
   */
  changePassword(change: PasswordChange, options?: CallOptions): Promise<void>;
  /**
   * Deletes the account for good. Its sessions and keys stop working, and all its data is erased except the ids of its
   * passports.
   */
  deleteAccount(deletion: AccountDeletion, options?: CallOptions): Promise<void>;
  /** Returns the facts of a link, for the person that holds it, and uses nothing. Sent without the session. */
  readLink(input: LinkInput, options?: CallOptions): Promise<ReadLink>;
  /**
   * Uses a link: its holder signs in with the password from now on, and gets a session. Sent once, without the session of
   * this client, which continues.
   */
  acceptLink(input: AcceptInput, options?: CallOptions): Promise<Session>;
  /**
   * Ends the session, if there is one; with `everywhere` every session of the account, also those of other clients. A
   * later call signs in again, if it can.
   */
  logout(options?: CallOptions & LogoutInput): Promise<void>;
}
