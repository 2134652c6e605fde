/** Events: changes and verdicts in an account. Types only, no code. */

import type { ApiKey, Instant, Passport, VerdictRecord } from '../records.ts';
import type { Approval } from './approval.ts';
import type { ComparisonResult } from './comparison.ts';
import type { ReportedOutcome } from './outcome.ts';

/** The author of a change. */
export interface Changed {
  /** The account or key that made the change, or `operator`. */
  readonly changed_by: string;
}

/** The `data` of each type of event. It never contains a secret. */
export interface EventData {
  /** The passport as it was issued. */
  readonly 'passport.created': Passport & Changed;
  /** The passport after the change, and the result of its comparison with the version before. */
  readonly 'passport.updated': Passport &
    Changed & {
      /** Says whether the change lets more happen; absent in events of a release before this field. */
      readonly change?: ComparisonResult;
    };
  /** The passport with its suspension. */
  readonly 'passport.suspended': Passport & Changed;
  /** The passport after its suspension. */
  readonly 'passport.reinstated': Passport & Changed;
  /** The passport, which is revoked for good. */
  readonly 'passport.revoked': Passport & Changed;
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
  /** The key, which is revoked for good. */
  readonly 'key.revoked': ApiKey & Changed;
  /** The verdict record. */
  readonly 'verdict.denied': VerdictRecord;
  /** The verdict record. */
  readonly 'verdict.allowed': VerdictRecord;
  /** The report that the deed of an ALLOW has succeeded. */
  readonly 'outcome.succeeded': ReportedOutcome;
  /** The report that it has ended with an error: money may have moved. */
  readonly 'outcome.failed': ReportedOutcome;
  /** The report that it was not begun. */
  readonly 'outcome.not_attempted': ReportedOutcome;
  /** The report that nothing says how it has ended. */
  readonly 'outcome.unknown': ReportedOutcome;
  /** The domain that the account now owns. */
  readonly 'domain.claimed': Changed & {
    /** The host name of the domain. */
    readonly domain: string;
  };
  /** The approval that a person is asked for; `changed_by` is the caller of the verdict. */
  readonly 'approval.requested': Approval & Changed;
  /** The approval, approved or rejected. */
  readonly 'approval.decided': Approval & Changed;
  /** The account whose password was changed, which ended its sessions. */
  readonly 'account.password_changed': Changed & {
    /** The id, `acc_…`. */
    readonly account_id: string;
  };
  /** The account with too many failed passwords; reported once in 15 minutes. */
  readonly 'account.login_throttled': {
    /** The id, `acc_…`. */
    readonly account_id: string;
    /** The seconds until the throttle ends. */
    readonly retry_after_seconds: number;
  };
}

/** The type of an event. */
export type EventType = keyof EventData;

/** An event of one type, as webhooks carry it (Standard Webhooks: `type`, `timestamp`, `data`). */
export interface EventOf<Type extends string, Data> {
  /** The id, `evt_…`, the same in each delivery of the event. A stream can resume after it. */
  readonly id: string;
  /** The type of the event. */
  readonly type: Type;
  /** The instant at which it happened. */
  readonly timestamp: Instant;
  /** The record that the event is about. */
  readonly data: Data;
}

/** A gap in a stream: events from before `since` may be missing, or verdicts from `since` on were not recorded. */
export type EventsGap = EventOf<
  'events.gap',
  {
    /** The end of the gap, or the instant from which verdicts could not be recorded. */
    readonly since: Instant;
  }
>;

/** A change or a verdict in an account, or a gap. */
export type IdentityEvent = { [Type in EventType]: EventOf<Type, EventData[Type]> }[EventType] | EventsGap;
