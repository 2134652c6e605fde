/** The result of a replay of recorded verdicts. Types only, no code. */
import type { VerdictRecord } from '../records.ts';
import type { Comparison } from './comparison.ts';
import type { Reason } from './reason.ts';
import type { Amount, Instant } from './value.ts';

/** The cause why the verdict of a record is unknown. */
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

/** A record whose verdict would have been different, or is unknown. */
export interface ReplayExample {
  /** The verdict as it was recorded. */
  readonly record: VerdictRecord;
  /** The verdict that it would have been; `null` if that is unknown. */
  readonly verdict: VerdictRecord['verdict'] | null;
  /** The reasons of that verdict. */
  readonly reasons: readonly Reason[];
  /** The cause why the verdict is unknown; `null` if it is known. */
  readonly unknown: UnknownCode | null;
}

/** The number of records whose verdict would turn. */
export interface ReplayTurns {
  /** Recorded `ALLOW`, now `DENY`. */
  readonly now_denied: number;
  /** Recorded `DENY`, now `ALLOW`. */
  readonly now_allowed: number;
}

/** A code of reasons, and the number of records that have it. */
export interface ReplayReason {
  /** The code. */
  readonly code: string;
  /** The number of records that have it. */
  readonly count: number;
}

/** The result of a replay. `judged` is the sum of `unchanged`, `now_denied`, `now_allowed` and all of `unknown`. */
export interface PassportReplay extends ReplayTurns {
  /** The comparison of the passport with what the patch makes of it; `null` without a patch. */
  readonly change: Comparison | null;
  /** The time [`from`, `to`) whose records were read. */
  readonly covered: {
    /** The start, included; later than it was asked for when records are missing. */
    readonly from: Instant;
    /** The end, excluded. */
    readonly to: Instant;
    /** The number of records, dry runs included. */
    readonly records: number;
    /** False when older records of the time that was asked for are missing. */
    readonly complete: boolean;
  };
  /** The number of records that were evaluated again: all but dry runs. */
  readonly judged: number;
  /** The number of records with the verdict that was recorded. */
  readonly unchanged: number;
  /** The number of records whose verdict is unknown, by the cause. */
  readonly unknown: { readonly [Code in UnknownCode]?: number };
  /** The turns against the same records under the passport without the patch; 0 without a patch. */
  readonly by_change: ReplayTurns;
  /** The codes of the reasons of newly denied intents, the most frequent first. */
  readonly reasons: readonly ReplayReason[];
  /** The use of the passport by the recorded `ALLOW`s. */
  readonly used: {
    /** The entries of the passport that name no recorded `ALLOW`. */
    readonly unused: {
      /** The allowed actions that no recorded `ALLOW` needs. */
      readonly allowed_actions: readonly string[];
      /** The allowed targets that no recorded `ALLOW` needs. */
      readonly allowed_targets: readonly string[];
    };
    /** The highest amount of a recorded `ALLOW`; `null` if there is none. */
    readonly highest_amount: Amount | null;
  };
  /** The newest records of each kind, the newest first. */
  readonly examples: readonly ReplayExample[];
  /** The number of records of the account in this time that are reported lost. */
  readonly dropped: number;
}
