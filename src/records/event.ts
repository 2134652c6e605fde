/** What has happened in an account, as events describe it. */

import type { ApiKey, Instant, Passport, VerdictRecord } from '../records.ts';
import type { Approval } from './approval.ts';

/** Who made a change: an account, a key, or `operator`. */
export interface Changed {
  /** The account or key that made the change, or `operator`. */
  readonly changed_by: string;
}

/** The `data` of each type of event. Never a secret. */
export interface EventData {
  /** The passport as it was issued. */
  readonly 'passport.created': Passport & Changed;
  /** The passport as it is after the change. */
  readonly 'passport.updated': Passport & Changed;
  /** The passport with its suspension. */
  readonly 'passport.suspended': Passport & Changed;
  /** The passport after its suspension. */
  readonly 'passport.reinstated': Passport & Changed;
  /** The passport, which is revoked for good. */
  readonly 'passport.revoked': Passport & Changed;
  /** The key, without its secret. */
  readonly 'key.created': ApiKey & Changed;
  /** The new key, and which one it replaces. */
  readonly 'key.rotated': ApiKey &
    Changed & {
      /** The id of the key that was rotated. */
      readonly replaces: string;
    };
  /** The key as it is after the change. */
  readonly 'key.updated': ApiKey & Changed;
  /** The key, which is revoked for good. */
  readonly 'key.revoked': ApiKey & Changed;
  /** The verdict record. */
  readonly 'verdict.denied': VerdictRecord;
  /** The verdict record. */
  readonly 'verdict.allowed': VerdictRecord;
  /** The domain that the account owns from now on. */
  readonly 'domain.claimed': Changed & {
    /** Its host name. */
    readonly domain: string;
  };
  /** What a person is asked to approve; `changed_by` is who asked for the verdict. */
  readonly 'approval.requested': Approval & Changed;
  /** The approval, approved or rejected. */
  readonly 'approval.decided': Approval & Changed;
  /** The account whose password was changed; its sessions ended. */
  readonly 'account.password_changed': Changed & {
    /** `acc_…`. */
    readonly account_id: string;
  };
  /** The account whose password was tried too often; reported once in 15 minutes. */
  readonly 'account.login_throttled': {
    /** `acc_…`. */
    readonly account_id: string;
    /** How long the throttle lasts. */
    readonly retry_after_seconds: number;
  };
}

/** What an event describes. */
export type EventType = keyof EventData;

/** An event of one type: what webhooks carry as well (Standard Webhooks: `type`, `timestamp`, `data`). */
export interface EventOf<Type extends string, Data> {
  /** `evt_…`: the same for the same event, however often it comes. The stream resumes behind it. */
  readonly id: string;
  /** What it describes. */
  readonly type: Type;
  /** When it happened. */
  readonly timestamp: Instant;
  /** The record of it. */
  readonly data: Data;
}

/** Events may be missing: those from before `since`, or verdicts that could not be recorded. */
export type EventsGap = EventOf<
  'events.gap',
  {
    /** Where the gap ends, or where verdicts begin that could not be recorded. */
    readonly since: Instant;
  }
>;

/** Something that has happened in an account, or a gap. */
export type IdentityEvent = { [Type in EventType]: EventOf<Type, EventData[Type]> }[EventType] | EventsGap;
