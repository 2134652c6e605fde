/** The result of a replay of recorded verdicts. Types only, no code. */
import type { VerdictRecord } from '../records.ts';
import type { Comparison } from './comparison.ts';
import type { Reason } from './reason.ts';
import type { Amount, Instant } from './value.ts';

/** The reason why the verdict on a record is unknown. */
export type UnknownCode =
  | 'not_seen'
  | 'amount'
  | 'proof'
  | 'approval'
  | 'holds'
  | 'usage'
  | 'budget'
  | 'history'
  | 'given_back'
  | 'order'
  | 'parameters'
  | 'erased'
  | 'version';

/** A record with a verdict that would now be different, or is unknown. */
export interface ReplayExample {
  /** The recorded verdict. */
  readonly record: VerdictRecord;
  /** The new verdict. `null` if it is unknown. */
  readonly verdict: VerdictRecord['verdict'] | null;
  /** The reasons of the new verdict. */
  readonly reasons: readonly Reason[];
  /** The reason why the new verdict is unknown. `null` if it is known. */
  readonly unknown: UnknownCode | null;
}

/** The numbers of records with a verdict that would change. */
export interface ReplayTurns {
  /** Recorded as `ALLOW`, now `DENY`. */
  readonly now_denied: number;
  /** Recorded as `DENY`, now `ALLOW`. */
  readonly now_allowed: number;
}

/** A reason code, and the number of records that have it. */
export interface ReplayReason {
  /** The code. */
  readonly code: string;
  /** The number of records that have it. */
  readonly count: number;
}

/** The result of a replay. `judged` is the sum of `unchanged`, `now_denied`, `now_allowed` and all of `unknown`. */
export interface PassportReplay extends ReplayTurns {
  /** The comparison of the passport before and after the patch. `null` without a patch. */
  readonly change: Comparison | null;
  /** The time range of the records that were read, from `from` up to but not including `to`. */
  readonly covered: {
    /** The start, included. It is later than the requested start if records are missing. */
    readonly from: Instant;
    /** The end, excluded. */
    readonly to: Instant;
    /** The number of records, including dry runs. */
    readonly records: number;
    /** `false` if older records of the requested time are missing. */
    readonly complete: boolean;
  };
  /** The number of records that were evaluated again: all except dry runs. */
  readonly judged: number;
  /** The number of records with the same verdict as before. */
  readonly unchanged: number;
  /** The number of records with an unknown verdict, by the reason. */
  readonly unknown: { readonly [Code in UnknownCode]?: number };
  /** The changes of verdicts that the patch causes, compared with the passport without the patch. 0 without a patch. */
  readonly by_change: ReplayTurns;
  /** The codes of the reasons of newly denied intents, the most frequent first. */
  readonly reasons: readonly ReplayReason[];
  /** The use of the passport by the recorded `ALLOW`s. */
  readonly used: {
    /** The entries of the passport that no recorded `ALLOW` uses. */
    readonly unused: {
      /** The allowed actions that no recorded `ALLOW` needs. */
      readonly allowed_actions: readonly string[];
      /** The allowed targets that no recorded `ALLOW` needs. */
      readonly allowed_targets: readonly string[];
    };
    /** The highest amount of a recorded `ALLOW`. `null` if there is none. */
    readonly highest_amount: Amount | null;
  };
  /** The newest records of each kind, the newest first. */
  readonly examples: readonly ReplayExample[];
  /**
   * The number of the account's records in this time that the service could not store. The journal contains only their
   * number.
   */
  readonly dropped: number;
}
