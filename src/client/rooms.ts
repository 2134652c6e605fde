/** Creates the methods of a service over HTTP, in groups such as `keys`. */
import type { AnalyticsRooms } from '../analytics/index.ts';
import { analyticsOperations } from '../analytics/operations.ts';
import { after, decisionOf } from '../base/async/decision-wait.ts';
import { accountOperations } from '../core/accounts/operations.ts';
import { approvalOperations } from '../core/approvals/operations.ts';
import { auditOperations, verificationOperations } from '../core/insight/operations.ts';
import { keyOperations } from '../core/keys/operations.ts';
import { passportOperations, stateOperations } from '../core/passports/operations.ts';
import { spendOperations } from '../core/spending/operations.ts';
import type { AccountRooms, CallOptions, PassportSigning, StateChanges, VerdictReceipts } from '../core.ts';
import type { DomainRooms } from '../domains/index.ts';
import { domainOperations } from '../domains/operations.ts';
import type { ErasureRooms } from '../erasure/index.ts';
import { purgeOperations, subjectOperations } from '../erasure/operations.ts';
import type { EvidenceRooms } from '../evidence/index.ts';
import { evidenceOperations, receiptOperations } from '../evidence/operations.ts';
import { signOperations } from '../identity/operations.ts';
import type { IdentityRooms } from '../identity/rooms.ts';
import type { PeopleRooms } from '../people/index.ts';
import { deletionOperations, memberOperations, passwordOperations } from '../people/operations.ts';
import type { Approval } from '../records/approval.ts';
import type { DomainClaim } from '../records/domain.ts';
import type { ReplayRooms } from '../replay/index.ts';
import { replayOperations } from '../replay/operations.ts';
import type { WebhookRooms } from '../webhooks/index.ts';
import { webhookOperations } from '../webhooks/operations.ts';
import { isApprovalOf, isReceiptOf, isSignedPassport, isSpendOf, isStateOf, isVerdict } from './answers.ts';
import type { ClientRequests } from './requests.ts';
import { roomOf } from './room.ts';

/** The methods of an account in groups. A method of a capability that the service does not list throws `not_found`. */
export type ClientRooms = AccountRooms &
  AnalyticsRooms<CallOptions> &
  DomainRooms<CallOptions> &
  PeopleRooms<CallOptions> &
  ErasureRooms<CallOptions> &
  IdentityRooms<CallOptions> &
  EvidenceRooms<CallOptions> &
  WebhookRooms<CallOptions> &
  ReplayRooms<CallOptions>;

/** Creates all groups of methods of an account. */
export function roomsOf(requests: ClientRequests): ClientRooms {
  return {
    keys: roomOf(keyOperations, requests),
    passports: {
      ...roomOf(passportOperations, requests, { try: isVerdict }),
      ...roomOf(purgeOperations, requests),
      ...signOf(requests),
      ...roomOf(replayOperations, requests),
    },
    members: roomOf(memberOperations, requests),
    domains: domainsOf(requests),
    spends: spendsOf(requests),
    approvals: approvalsOf(requests),
    verifications: { ...roomOf(verificationOperations, requests), ...receiptsOf(requests) },
    evidence: roomOf(evidenceOperations, requests),
    audit: roomOf(auditOperations, requests),
    subjects: roomOf(subjectOperations, requests),
    webhooks: roomOf(webhookOperations, requests),
    ...roomOf(analyticsOperations, requests),
    ...roomOf(accountOperations, requests),
    ...roomOf(passwordOperations, requests),
    ...roomOf(deletionOperations, requests),
    ...stateChangesOf(requests),
  };
}

/** Creates the methods for spends. */
export function spendsOf(requests: ClientRequests): ClientRooms['spends'] {
  const checks = { get: isSpendOf, commit: isSpendOf, extend: isSpendOf, release: isSpendOf };
  return roomOf(spendOperations, requests, checks);
}

/** Creates the methods for approvals. */
export function approvalsOf(requests: ClientRequests): ClientRooms['approvals'] {
  const checks = { get: isApprovalOf, approve: isApprovalOf, reject: isApprovalOf };
  const room = roomOf(approvalOperations, requests, checks);
  return {
    ...room,
    wait(id: string, options?: CallOptions): Promise<Approval> {
      return decisionOf({ read: () => room.get(id, options), after, signal: options?.signal });
    },
  };
}

/** Creates the method that returns receipts of verdicts. */
export function receiptsOf(requests: ClientRequests): VerdictReceipts {
  return roomOf(receiptOperations, requests, { receipt: isReceiptOf });
}

/** Creates the method that signs passports. */
export function signOf(requests: ClientRequests): PassportSigning {
  return roomOf(signOperations, requests, { sign: isSignedPassport });
}

/** Creates the methods that change the state of a passport. */
export function stateChangesOf(requests: ClientRequests): StateChanges {
  return roomOf(stateOperations, requests, {
    revoke: isStateOf(['revoked']),
    suspend: isStateOf(['suspended']),
    reinstate: isStateOf(['active', 'expired']),
  });
}

function domainsOf(requests: ClientRequests): ClientRooms['domains'] {
  const isClaimOf = (answer: unknown, domain: string): boolean => Object(answer).domain === domain;
  return {
    ...roomOf(domainOperations, requests, { check: isClaimOf }),
    async claim(domain: string, options?: CallOptions): Promise<DomainClaim> {
      const request = { input: { domain }, options, success: 201, again: 200, holds: ['status'] } as const;
      const claim = await requests.change<DomainClaim>('POST', '/domains', request);
      if (!isClaimOf(claim, domain)) throw requests.notThisAnswer();
      return claim;
    },
  };
}
