/** The methods of one account about passports, domains, webhooks, spends and approvals. Types only. */

import type { Pages } from '../../base/pages.ts';
import type { Approval, ApprovalDecision } from '../../records/approval.ts';
import type { DomainClaim } from '../../records/domain.ts';
import type { EffectivePassport } from '../../records/effective.ts';
import type { Member, MemberLink, NewMember } from '../../records/member.ts';
import type { SignedPassportToken, SignPassportInput } from '../../records/token.ts';
import type {
  BudgetList,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportVersion,
  Spend,
  Verdict,
} from '../../records.ts';
import type { ApprovalQuery } from '../approvals/approvals.ts';
import type { MemberInput, MemberPatch, MemberQuery, MemberRemoval } from '../members/members.ts';
import type { PassportQuery } from '../passports/list-passports.ts';
import type { BudgetQuery, UpdateOptions } from '../passports/passports.ts';
import type { TryInput } from '../passports/try-passport.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { OnceOptions } from '../shared/idempotency.ts';
import type { PageRequest } from '../shared/pages.ts';
import type { SettleInput } from '../spending/spends.ts';

/** The passports of the account. */
export interface AdminPassports {
  /**
   * Issues a passport. The request has an `Idempotency-Key`, a new one when none is given, and is sent once more when
   * the connection breaks.
   */
  create(input: PassportInput, options?: CallOptions & OnceOptions): Promise<Passport>;
  /** Lists the passports: the first page, with `for await` every page. */
  list(query?: PassportQuery, options?: CallOptions): Pages<Page<Passport>>;
  /** Returns a passport; `not_found` for one of another account as for one that does not exist. */
  get(agentId: string, options?: CallOptions): Promise<Passport>;
  /** Lists the complete versions, newest first: the first page, with `for await` every page. */
  versions(agentId: string, page?: PageRequest, options?: CallOptions): Pages<Page<PassportVersion>>;
  /**
   * Changes a passport by a JSON Merge Patch: `null` removes an optional field. `version_mismatch` when the version is
   * not in `ifVersion`, `would_widen` when it would let more happen with `ifNarrower`, `second_person_required` when other
   * people must approve it: then call again with its `approval_id` as `approvalId`.
   */
  update(agentId: string, patch: PassportPatch, options?: CallOptions & UpdateOptions): Promise<Passport>;
  /**
   * Erases the data of an agent whose passport is revoked; its id stays taken. `conflict` for one that is not revoked.
   */
  purge(agentId: string, options?: CallOptions): Promise<void>;
  /** Returns the combined permissions of the passport and all those above it, for people to read. */
  effective(agentId: string, options?: CallOptions): Promise<EffectivePassport>;
  /** Returns the amounts of the budgets that are spent, held and left, by default those of `live`. */
  budgets(agentId: string, query?: BudgetQuery, options?: CallOptions): Promise<BudgetList>;
  /** Returns the verdict on an intent for the passport as it is, or with a patch. Nothing is stored or recorded. */
  try(agentId: string, input: TryInput, options?: CallOptions): Promise<Verdict>;
  /** Signs the passport in its present state, as a token that others can verify on their own. */
  sign(agentId: string, input?: SignPassportInput, options?: CallOptions): Promise<SignedPassportToken>;
}

/** The domains of the account, and their proofs. */
export interface AdminDomains {
  /**
   * Claims a domain. The claim has the token that proves the domain, and the place to publish it; the token stays the
   * same for 7 days. Rejects with `domain_claimed` when another account has proved the domain.
   */
  claim(domain: string, options?: CallOptions): Promise<DomainClaim>;
  /** Lists the domains, newest first: the first page, with `for await` every page. */
  list(page?: PageRequest, options?: CallOptions): Pages<Page<DomainClaim>>;
  /**
   * Looks for the token now and returns the claim when it is proven. Rejects with `conflict` and the findings
   * otherwise, `not_found` without a claim, `rate_limited` after 10 checks of a domain in an hour, or 60 of the
   * account.
   */
  check(domain: string, options?: CallOptions): Promise<DomainClaim>;
  /** Gives the domain up; `conflict` while there are passports for it that are not revoked. */
  release(domain: string, options?: CallOptions): Promise<void>;
}

/** The members of the account. */
export interface AdminMembers {
  /** Lists the members, newest first: the first page, with `for await` every page. */
  list(query?: MemberQuery, options?: CallOptions): Pages<Page<Member>>;
  /** Invites a person. Sent once: only this answer has the link. */
  invite(input: MemberInput, options?: CallOptions): Promise<NewMember>;
  /** Makes a link with which the member chooses how to sign in; an earlier one is dead. Sent once. */
  link(id: string, options?: CallOptions): Promise<MemberLink>;
  /** Changes the role or the name; `conflict` for the last owner. */
  update(id: string, patch: MemberPatch, options?: CallOptions): Promise<Member>;
  /** Removes a member; with `revoke_keys` the keys that it made are revoked. `conflict` for the last owner. */
  remove(id: string, removal?: MemberRemoval, options?: CallOptions): Promise<void>;
  /** Ends every session of the member at once. */
  endSessions(id: string, options?: CallOptions): Promise<void>;
}

/** The amounts that verdicts have spent of budgets, or hold. */
export interface ClientSpends {
  /** Returns the current spend; `not_found` when the caller does not see it. */
  get(decisionId: string, options?: CallOptions): Promise<Spend>;
  /**
   * Commits a held amount; with a smaller `amount` the rest is given back. The request has an `Idempotency-Key`, a new
   * one when none is given, and is sent once more when the connection breaks.
   */
  commit(decisionId: string, input?: SettleInput, options?: CallOptions & OnceOptions): Promise<Spend>;
  /** Gives back a held amount or, with the scope `refund` or as the account, a spent one. Sent as `commit`. */
  release(decisionId: string, input?: SettleInput, options?: CallOptions & OnceOptions): Promise<Spend>;
}

/** The approvals that people are asked for, as far as a key sees them. */
export interface ClientApprovals {
  /** Returns the current approval; `not_found` when the key does not see it. */
  get(id: string, options?: CallOptions): Promise<Approval>;
  /**
   * Waits until a person has decided or the approval is expired, and returns it: check its `status`. It is read every
   * few seconds, even while the service does not answer. Rejects with the reason of the signal, and as `get` when the
   * first request fails.
   */
  wait(id: string, options?: CallOptions): Promise<Approval>;
}

/** The approvals that people are asked for, and their decisions. */
export interface AdminApprovals extends ClientApprovals {
  /** Lists the approvals, newest first: the first page, with `for await` every page. */
  list(query?: ApprovalQuery, options?: CallOptions): Pages<Page<Approval>>;
  /** Allows the agent to do exactly this intent once; `conflict` for one that was rejected or is expired. Sent once. */
  approve(id: string, decision?: ApprovalDecision, options?: CallOptions): Promise<Approval>;
  /** Rejects the approval; `conflict` for one that was approved or is expired. Sent once. */
  reject(id: string, decision?: ApprovalDecision, options?: CallOptions): Promise<Approval>;
}
