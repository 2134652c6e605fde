/** The request of a replay. Types only. */
import type { RangeRequest } from '../../base/values/instant-range.ts';
import type { PassportReplay } from '../../records/replay.ts';
import type { Environment, PassportPatch } from '../../records.ts';
import type { Rule } from '../../verdict/index.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';

/** The verdicts to replay, and the passport to replay them by; by default those of the last 30 days. */
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

/**
 * Replays recorded verdicts of an agent and of all agents below it. `not_found` as `get`, `invalid_request` below
 * `/patch`, and `conflict` for a patch of a revoked passport.
 */
export type ReplayPassport = (
  agentId: string,
  input?: ReplayInput,
  options?: Actor & ReplayCallOptions,
) => Promise<PassportReplay>;
