/** The exports of `evaluate.mjs` that its test uses. */

/** One answer: moments in milliseconds, the codes of the reasons of a verdict. */
export interface Note {
  readonly target: string;
  readonly question: string;
  readonly agent_id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: string;
  readonly codes: readonly string[];
}

export interface Row {
  readonly notes: readonly Note[];
  readonly revoked: readonly ReadonlyMap<string, number>[];
  readonly onset: number;
  readonly undone: number;
  readonly lagMs: number;
  readonly away: {
    readonly verdicts?: 'none';
    readonly writes?: 'none' | 'some refused';
    readonly ready?: 'none';
  };
}

/** What was wrong, one line each. */
export declare function evaluate(row: Row): string[];

/** The problem of a store that was back, and a target that was not in time. */
export declare const RECOVERY_PROBLEM: string;

/** Whether a problem may come from a busy machine. */
export declare function isOfTime(problem: string): boolean;
