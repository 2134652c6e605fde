/** The request of a replay, checked and with its defaults. */
import { rangeErrors, readRange } from '../base/values/instant-range.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { type FieldError, invalidRequest } from '../errors.ts';
import type { Environment } from '../records.ts';
import { checkCopy } from '../schema/check.ts';
import type { PassportRecord } from '../service/passports/collections.ts';
import { fieldErrors } from '../service/passports/passport-fields.ts';
import { assertChangeable, patchedRecord } from '../service/passports/passport-patch.ts';
import type { Context } from '../service/shared/context.ts';
import type { ReplayInput } from './replay-input.ts';

/** The parts of a request that say which records are replayed. Times are milliseconds since the Unix epoch. */
export interface ReplayRange {
  readonly from: number;
  readonly to: number;
  readonly environment: Environment;
}

/** A request that was checked. */
export interface ReplayRequest extends ReplayRange {
  readonly patch: ReplayInput['patch'];
  readonly isRecorded: boolean;
  readonly examples: number;
}

const DEFAULT_DAYS = 30;
const DEFAULT_EXAMPLES = 20;

/** Returns the request with its defaults; `invalid_request` names every field that is wrong. */
export function readRequest(context: Context, given: unknown): ReplayRequest {
  const input = checkCopy<ReplayInput>('ReplayRequest', given, (fields) => [
    ...rangeErrors(fields as ReplayInput),
    ...patchErrors(fields as ReplayInput, context),
  ]);
  const { patch, environment = 'live', passport = 'current', examples = DEFAULT_EXAMPLES } = input;
  const present = context.clock.now();
  const range = readRange(input);
  const to = range.to ?? present;
  const from = range.from ?? to - DEFAULT_DAYS * RESOLUTION_MS.day;
  if (from > to) throw invalidRequest([REVERSED]);
  return { patch, environment, isRecorded: passport === 'recorded', examples, from, to };
}

const REVERSED: FieldError = {
  path: '/from',
  code: 'out_of_range',
  message: 'This must not be later than to.',
};

function patchErrors({ patch, passport }: ReplayInput, context: Context): readonly FieldError[] {
  if (patch === undefined) return [];
  const errors = fieldErrors(Object(patch), context).map((error) => ({
    ...error,
    path: `/patch${error.path}`,
  }));
  if (passport !== 'recorded') return errors;
  const message = 'A patch is replayed by the current passports.';
  return [...errors, { path: '/patch', code: 'not_allowed', message }];
}

/** Returns the passport as the patch makes it; `undefined` without a patch, the passport itself when nothing changes. */
export function patchedBy(
  context: Context,
  found: PassportRecord,
  { patch }: ReplayRequest,
): PassportRecord | undefined {
  if (patch === undefined) return undefined;
  assertChangeable(found);
  return patchedRecord(found, patch, context, '/patch') ?? found;
}
