import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { fieldErrors } from '../core/passports/passport-fields.ts';
import { assertChangeable, patchedRecord } from '../core/passports/passport-patch.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import { type FieldError, invalidRequest } from '../errors.ts';
import type { PassportReplay } from '../records/replay.ts';
import type { Environment, PassportPatch } from '../records.ts';
import { checkCopy } from '../schema/check.ts';
import { type RangeRequest, rangeErrors, readRange } from '../schema/instant-range.ts';
import { replayRequestSchema } from '../schema/validators.generated.ts';
import type { Rule } from '../verdict/index.ts';

/** The parts of a request that select the records. Times are milliseconds since the Unix epoch. */
export interface ReplayRange {
  readonly from: number;
  readonly to: number;
  readonly environment: Environment;
}

/** A checked request. */
export interface ReplayRequest extends ReplayRange {
  readonly patch: ReplayInput['patch'];
  readonly isRecorded: boolean;
  readonly examples: number;
}

const DEFAULT_DAYS = 30;
const DEFAULT_EXAMPLES = 20;

/**
 * Returns the request with its defaults.
 *
 * @throws {IdentityError} `invalid_request` with every wrong field.
 */
export function readRequest(
  context: Pick<Context, 'clock' | 'allowLocalhost' | 'proofTerms'>,
  body: unknown,
): ReplayRequest {
  const input = checkCopy<ReplayInput>(replayRequestSchema, body, (fields) => [
    ...rangeErrors(fields as ReplayInput),
    ...patchErrors(fields as ReplayInput, context),
  ]);
  const { patch, environment = 'live', passport = 'current', examples = DEFAULT_EXAMPLES } = input;
  const present = context.clock.now();
  const range = readRange(input);
  const end = range.to ?? present;
  const start = range.from ?? end - DEFAULT_DAYS * RESOLUTION_MS.day;
  if (start > end) throw invalidRequest([REVERSED]);
  return { patch, environment, isRecorded: passport === 'recorded', examples, from: start, to: end };
}

const REVERSED: FieldError = {
  path: '/from',
  code: 'out_of_range',
  message: 'This must not be later than to.',
};

function patchErrors(
  { patch, passport }: ReplayInput,
  context: Pick<Context, 'allowLocalhost' | 'proofTerms'>,
): readonly FieldError[] {
  if (patch === undefined) return [];
  const errors = fieldErrors(Object(patch), context).map((error) => ({
    ...error,
    path: `/patch${error.path}`,
  }));
  if (passport !== 'recorded') return errors;
  const message = 'A patch needs the current passports. Leave out passport, or set it to current.';
  return [...errors, { path: '/patch', code: 'not_allowed', message }];
}

/**
 * Returns the passport after the patch. Returns `undefined` without a patch, and the same passport if the patch changes
 * nothing.
 */
export function patchedBy(
  context: Pick<Context, 'allowLocalhost' | 'proofTerms'>,
  passport: PassportRecord,
  { patch }: ReplayRequest,
): PassportRecord | undefined {
  if (patch === undefined) return undefined;
  assertChangeable(passport);
  return patchedRecord(passport, patch, context, '/patch') ?? passport;
}

/** The verdicts to evaluate again, by default of the last 30 days, and the passport to use. */
export interface ReplayInput extends RangeRequest {
  /** A JSON Merge Patch for this replay, which is not stored. Absent: the passport is not changed. */
  readonly patch?: PassportPatch;
  /** The environment of the verdicts; default `live`. */
  readonly environment?: Environment;
  /**
   * `current` (default): uses the current passports, as if they had always been the same. `recorded`: evaluates each
   * record with the passport versions that it names. You cannot combine `recorded` with `patch`.
   */
  readonly passport?: 'current' | 'recorded';
  /** The maximum number of examples of each kind, 0 to 100; default 20. */
  readonly examples?: number;
}

/** The options of a replay. */
export interface ReplayCallOptions extends CallOptions {
  /**
   * The rules to use instead of the service's rules. They must include all of `defaultRules`. Only for calls in
   * process.
   */
  readonly rules?: readonly Rule[];
}

/** The method that evaluates recorded verdicts again. */
export interface PassportReplays<Options = ReplayCallOptions> {
  /**
   * Evaluates recorded verdicts of the agent and its child agents again: with the current passport, a patched passport,
   * or the passport versions that each record names. Stores nothing. If `from` equals `to`, it only compares the
   * patched passport with the current passport.
   *
   * @throws {IdentityError} `not_found` if the caller may not see the passport
   * @throws {IdentityError} `invalid_request` for wrong input, below `/patch` for a wrong patch
   * @throws {IdentityError} `conflict` for a patch of a revoked passport
   * @throws {IdentityError} `rate_limited` after too many replays in a minute, or while another replay of the account
   * runs
   */
  replay(agentId: string, input?: ReplayInput, options?: Options): Promise<PassportReplay>;
}

/** The method for calls in the same process. */
export type ReplayPassport = PassportReplays<Actor & ReplayCallOptions>['replay'];
