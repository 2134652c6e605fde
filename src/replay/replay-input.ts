/** The request of a replay. Types only. */
import type { RangeRequest } from '../base/values/instant-range.ts';
import type { PassportReplay } from '../records/replay.ts';
import type { Environment, PassportPatch } from '../records.ts';
import type { CallOptions } from '../service/shared/call-options.ts';
import type { Actor } from '../service/shared/callers.ts';
import type { Rule } from '../verdict/index.ts';

/** The verdicts to replay, and the passport to replay them by; by default the last 30 days. */
export interface ReplayInput extends RangeRequest {
  /** A JSON Merge Patch to judge by, which is not stored; absent: the passport as it is. */
  readonly patch?: PassportPatch;
  /** The environment of the verdicts; default `live`. */
  readonly environment?: Environment;
  /**
   * `current` (default): the passports as they are, as if they had always been so. `recorded`: each record by the
   * versions that it names; not with `patch`.
   */
  readonly passport?: 'current' | 'recorded';
  /** The most examples of each kind, 0 to 100; default 20. */
  readonly examples?: number;
}

/** The options of a replay. */
export interface ReplayCallOptions extends CallOptions {
  /** The rules to judge by, with all of `defaultRules`, instead of those of the service. Only in process. */
  readonly rules?: readonly Rule[];
}

/** The method that judges recorded verdicts again. */
export interface PassportReplays<Options = ReplayCallOptions> {
  /**
   * Judges recorded verdicts of the agent, and of all below it, by the passport as it is, as a patch would make it, or as
   * each record names it. Stores nothing. With `from` equal to `to` it answers the change alone.
   *
   * @throws {IdentityError} `not_found` for a passport that the caller does not see
   * @throws {IdentityError} `invalid_request` for wrong input, below `/patch` for a wrong patch
   * @throws {IdentityError} `conflict` for a patch of a revoked passport
   */
  replay(agentId: string, input?: ReplayInput, options?: Options): Promise<PassportReplay>;
}

/** The method in process. */
export type ReplayPassport = PassportReplays<Actor & ReplayCallOptions>['replay'];
