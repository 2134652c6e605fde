/** Events: changes and verdicts in an account. Types only, no code. */

import type { ApiKey, Instant, Passport, Plan, Role, VerdictRecord } from '../records.ts';
import type { Approval } from './approval.ts';
import type { BudgetThreshold, Spend } from './budget.ts';
import type { ComparisonResult } from './comparison.ts';
import type { MemberLogin } from './member.ts';
import type { ReportedOutcome } from './outcome.ts';

/** The author of a change. */
export interface Changed {
  /** The member or API key that made the change, `operator`, or the account if no person is known. */
  readonly changed_by: string;
}

/** The member that an event is about. */
export interface MemberNamed {
  /** The id, `mem_…`. */
  readonly member_id: string;
}

/** A change of a member. It contains no address and no link. */
export interface MemberChanged extends MemberNamed, Changed {
  /** The role of the member after the change. */
  readonly role: Role;
}

/** The webhook that an event is about. The event does not contain its URL, which may have a secret. */
export interface WebhookNamed {
  /** The id, `whk_…`. */
  readonly webhook_id: string;
}

/** The account that an event is about. */
export interface AccountNamed {
  /** The id, `acc_…`. */
  readonly account_id: string;
}

/** The `data` of each type of event. It never contains a secret. */
export interface EventData {
  /** The issued passport. */
  readonly 'passport.created': Passport & Changed;
  /** The passport after the change, and the result of comparing it with the previous version. */
  readonly 'passport.updated': Passport &
    Changed & {
      /** Says whether the change lets the agent do more. */
      readonly change?: ComparisonResult;
    };
  /** The passport with its suspension. */
  readonly 'passport.suspended': Passport & Changed;
  /** The passport after the suspension has ended. */
  readonly 'passport.reinstated': Passport & Changed;
  /** The permanently revoked passport. */
  readonly 'passport.revoked': Passport & Changed;
  /** The id of the agent with the erased data. The erasure keeps this event. */
  readonly 'passport.purged': Changed & {
    /** The id of the agent, which stays revoked and cannot be used again. */
    readonly agent_id: string;
  };
  /** The key, without its secret. */
  readonly 'key.created': ApiKey & Changed;
  /** The new key, and the id of the key that it replaces. */
  readonly 'key.rotated': ApiKey &
    Changed & {
      /** The id of the key that was rotated. */
      readonly replaces: string;
    };
  /** The key after the change. */
  readonly 'key.updated': ApiKey & Changed;
  /** The permanently revoked key. */
  readonly 'key.revoked': ApiKey & Changed;
  /** The verdict record. */
  readonly 'verdict.denied': VerdictRecord;
  /** The verdict record. */
  readonly 'verdict.allowed': VerdictRecord;
  /** The report that the action of an `ALLOW` has succeeded. */
  readonly 'outcome.succeeded': ReportedOutcome;
  /** The report that the action has ended with an error. Money may have moved. */
  readonly 'outcome.failed': ReportedOutcome;
  /** The report that the action was not started. */
  readonly 'outcome.not_attempted': ReportedOutcome;
  /** The report that the result of the action is unknown. Money may have moved. */
  readonly 'outcome.unknown': ReportedOutcome;
  /** The domain that the account now owns. */
  readonly 'domain.claimed': Changed & {
    /** The host name of the domain. */
    readonly domain: string;
  };
  /** The requested approval. `changed_by` is the caller of the verify request. */
  readonly 'approval.requested': Approval &
    Changed & {
      /** The page where a person decides, after a login. Absent if the service has no option `publicUrl`. */
      readonly url?: string;
    };
  /** The approval, approved or rejected. */
  readonly 'approval.decided': Approval & Changed;
  /** A spend that was committed, was released in whole or in part, or has expired. */
  readonly 'spend.settled': {
    /** The spend after the change. */
    readonly spend: Spend;
  };
  /**
   * A budget that has reached its `warn_at`, counting spent and held amounts. The event is sent once for each window.
   */
  readonly 'budget.threshold': BudgetThreshold;
  /** The account with a new password. The change ended its sessions. */
  readonly 'account.password_changed': Changed & {
    /** The id, `acc_…`. */
    readonly account_id: string;
  };
  /** The member that was invited. */
  readonly 'member.invited': MemberChanged;
  /** The member that has chosen how to sign in. */
  readonly 'member.joined': MemberChanged;
  /** The member with a changed role or name. */
  readonly 'member.updated': MemberChanged;
  /** The member that was removed. */
  readonly 'member.removed': MemberChanged;
  /** The member for which a link was created. */
  readonly 'member.link_created': MemberChanged;
  /** The member that lost its login. A link has replaced the login and ended its sessions. */
  readonly 'member.login_replaced': MemberChanged;
  /** The member that was signed out of all its sessions. */
  readonly 'member.sessions_ended': MemberNamed & Changed;
  /** The member that signed in. */
  readonly 'member.signed_in': MemberNamed & {
    /** The way in which the member signed in. */
    readonly method: MemberLogin;
  };
  /** The webhook that was created. */
  readonly 'webhook.created': WebhookNamed & Changed;
  /** The webhook with a changed URL, list of types, description or status. */
  readonly 'webhook.updated': WebhookNamed & Changed;
  /** The webhook that got a new secret. */
  readonly 'webhook.rotated': WebhookNamed & Changed;
  /** The webhook that was removed. */
  readonly 'webhook.removed': WebhookNamed & Changed;
  /** The domain that the account gave up, or that an operator took from it. */
  readonly 'domain.released': Changed & {
    /** The host name of the domain. */
    readonly domain: string;
  };
  /** The domain that an operator moved to another account. Both accounts get the event. */
  readonly 'domain.transferred': Changed & {
    /** The host name of the domain. */
    readonly domain: string;
    /** `true` for the account that has the domain now. */
    readonly received: boolean;
  };
  /** The account that was opened. */
  readonly 'account.created': AccountNamed & Changed;
  /** The account that an operator disabled. This ended its sessions. */
  readonly 'account.disabled': AccountNamed & Changed;
  /** The account that an operator enabled again. */
  readonly 'account.enabled': AccountNamed & Changed;
  /** The account with its new plan. */
  readonly 'account.plan_changed': AccountNamed &
    Changed & {
      /** The new plan. */
      readonly plan: Plan;
    };
  /**
   * The account in which a subject was erased. The event does not contain the subject. If an erasure needs
   * several calls, each call that erased records has its own event.
   */
  readonly 'subject.erased': AccountNamed &
    Changed & {
      /** The number of verdict records from which the subject was erased. */
      readonly records: number;
    };
  /** The account with too many failed logins. Reported once in 15 minutes. */
  readonly 'account.login_throttled': {
    /** The id, `acc_…`. */
    readonly account_id: string;
    /** The seconds until logins are possible again. */
    readonly retry_after_seconds: number;
  };
}

/** The type of an event. */
export type EventType = keyof EventData;

/** An event of one type, in the format of webhooks (Standard Webhooks: `type`, `timestamp`, `data`). */
export interface EventOf<Type extends string, Data> {
  /** The id, `evt_…`, which is the same in each delivery of the event. A stream can resume after this id. */
  readonly id: string;
  /** The type of the event. */
  readonly type: Type;
  /** The instant at which the event happened. */
  readonly timestamp: Instant;
  /** The record that the event is about. */
  readonly data: Data;
}

/**
 * A gap in a stream, for one of two reasons. Either events before `since` may be missing, or the service
 * could not record verdicts from `since` on.
 */
export type EventsGap = EventOf<
  'events.gap',
  {
    /** The end of the gap, or the instant from which verdicts could not be recorded. */
    readonly since: Instant;
  }
>;

/** A change or a verdict in an account, or a gap. */
export type IdentityEvent = { [Type in EventType]: EventOf<Type, EventData[Type]> }[EventType] | EventsGap;
