import { turn } from '../../base/async/turns.ts';
import { isSameJson } from '../../base/values/json-values.ts';
import { IdentityError, wrongField } from '../../errors.ts';
import type { Comparison, ComparisonResult, Difference } from '../../records/comparison.ts';
import type { Intent, Passport, PassportPatch, Verdict } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import { tryRequestSchema } from '../../schema/validators.generated.ts';
import { approvalRequired } from '../../verdict/approval.ts';
import { DEFERRED } from '../../verdict/budgets.ts';
import { compareFields } from '../../verdict/compare/index.ts';
import {
  decide,
  defaultRules,
  type PreparedPassport,
  type ProofFact,
  prepare,
  type Rule,
} from '../../verdict/index.ts';
import { approvalAsked } from '../../verdict/takings.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import type { Spending } from '../spending/spending.ts';
import type { PassportRecord } from './collections.ts';
import { ancestorsOf } from './issue-passport.ts';
import { fieldErrors } from './passport-fields.ts';
import { assertChangeable, patchedRecord } from './passport-patch.ts';
import { reviewedVersion } from './passport-record.ts';
import { letsMoreHappen, ownedPassport } from './passport-store.ts';

/**
 * Matches the reason codes that come after `rule_failed` in the order of reasons. The comparison inserts
 * `rule_failed` before them.
 */
const LATER = /^(?:budget|approval)_/;

/**
 * Compares two versions of a passport. Rules of the application may read the description, the metadata, the owner and
 * `managed_by`, and the service cannot predict their result. If the application has such rules and one of these fields
 * changes, the result is `crossing`: each version may allow intents that the other version denies.
 */
export function changeBetween(
  recordBefore: PassportRecord,
  recordAfter: PassportRecord,
  rules: readonly Rule[],
): Comparison {
  const change = compareFields(evaluatedPassport(recordBefore), evaluatedPassport(recordAfter));
  const hasOwnRules = rules.some((rule) => !defaultRules.includes(rule));
  const isSame =
    isSameJson(recordBefore.description ?? null, recordAfter.description ?? null) &&
    recordBefore.owner === recordAfter.owner &&
    recordBefore.managed_by === recordAfter.managed_by &&
    isSameJson(recordBefore.metadata ?? {}, recordAfter.metadata ?? {});
  if (!hasOwnRules || isSame) return change;
  const unseen = {
    code: 'rule_failed',
    reasons: [],
    intent: null,
    at: recordAfter.updated_at,
    allowed: {},
    denied: {},
  };
  const withUnseen = (differences: readonly Difference[]): readonly Difference[] => [
    ...differences.filter(({ code }) => !LATER.test(code)),
    unseen,
    ...differences.filter(({ code }) => LATER.test(code)),
  ];
  return { result: 'crossing', wider: withUnseen(change.wider), narrower: withUnseen(change.narrower) };
}

export function assertNarrower(...comparisons: readonly Comparison[]): void {
  const change = comparisons.find(({ wider }) => wider.length > 0);
  if (change === undefined) return;
  const codes = change.wider.map(({ code }) => code).join(', ');
  throw new IdentityError('would_widen', `The change would allow intents that are denied now: ${codes}.`, {
    details: { change },
  });
}

/**
 * Throws `invalid_request` if `ifNarrower` is neither absent nor `true`. Otherwise the change would be made
 * without the condition that the caller wanted.
 */
export function assertTrue(condition: unknown): void {
  if (condition === undefined || condition === true) return;
  throw wrongField('/ifNarrower', 'not_allowed', 'This must be true.');
}

interface ChangedVersions {
  readonly before: PassportRecord;
  readonly after: PassportRecord;
}

export interface ComparedChange extends ChangedVersions {
  readonly since: PassportRecord;
  /** The comparison with the version before the change. */
  readonly step: Comparison;
  /** The comparison with the last reviewed version. */
  readonly whole: Comparison;
  /** `true` if the change lets more happen than the previous version, or than the last reviewed version. */
  readonly isWider: boolean;
  /** The result of `step`, made wider if only `whole` is wider. */
  readonly result: ComparisonResult;
}

/**
 * Compares a change with the previous version and with the last reviewed version. Several small changes may together
 * let more happen, although no single change does.
 */
export async function compareChange(
  context: Pick<Context, 'store'>,
  { before, after }: ChangedVersions,
  rules: readonly Rule[],
): Promise<ComparedChange> {
  const reviewedRecord = await reviewedVersion(context, before);
  const recordSince = reviewedRecord ?? before;
  const step = changeBetween(before, after, rules);
  const whole = recordSince === before ? step : changeBetween(recordSince, after, rules);
  // Without the version to compare with, nothing shows that the change is narrow.
  const isWiderInAll = reviewedRecord === undefined || letsMoreHappen(recordSince, after, whole.result);
  const isWider = isWiderInAll || letsMoreHappen(before, after, step.result);
  return {
    before,
    after,
    since: recordSince,
    step,
    whole,
    isWider,
    result: resultOf(step.result, isWiderInAll),
  };
}

function resultOf(result: ComparisonResult, isWider: boolean): ComparisonResult {
  if (!isWider || result === 'wider' || result === 'crossing') return result;
  return result === 'equal' ? 'wider' : 'crossing';
}

// Evaluates an intent against a passport, with or without an unsaved patch. Records no verdict.

/** The intent and the patch of a trial. */
export interface TryInput {
  /** The intent to evaluate. Its `agent_id` must name this passport. */
  readonly intent: Intent;
  /** A JSON Merge Patch that is applied for this trial only. Absent: the passport is not changed. */
  readonly patch?: PassportPatch;
}

type TryPassport = (agentId: string, input: TryInput, actor?: Actor) => Promise<Verdict>;

/** The parts that evaluate a trial. */
export interface TryParts {
  readonly rules: readonly Rule[];
  /** Returns the verdict of the budgets without spending anything. */
  readonly spending: Pick<Spending, 'trial'>;
  /** Checks a proof of possession without marking it as used. */
  readonly checkProof: (
    text: string,
    proof: { readonly passport: Passport; readonly intent: Intent; readonly at: number },
  ) => Promise<{ readonly fact: ProofFact }>;
}

/** Creates the function that evaluates trials. */
export function createTryPassport(
  context: Pick<Context, 'store' | 'clock' | 'session' | 'allowLocalhost' | 'proofTerms'>,
  { rules, checkProof, spending }: TryParts,
): TryPassport {
  return async (agentId, input, actor = {}) => {
    const { intent, patch } = checkCopy<TryInput>(tryRequestSchema, input, ({ patch }) =>
      fieldErrors(Object(patch), context).map((error) => ({ ...error, path: `/patch${error.path}` })),
    );
    if (intent.agent_id !== agentId) {
      const message = 'This must be the agent_id of the passport.';
      throw wrongField('/intent/agent_id', 'not_allowed', message);
    }
    const foundRecord = await ownedPassport(context, agentId, actor);
    if (patch !== undefined) assertChangeable(foundRecord);
    const record = (patch && patchedRecord(foundRecord, patch, context, '/patch')) ?? foundRecord;
    const caller = { account_id: accountOf(context, actor) };
    const passport = evaluatedPassport(record);
    const preparedPassport = prepare(passport);
    const ancestors: PreparedPassport[] = [];
    for (const ancestor of await ancestorsOf(context, record)) {
      // Each takes some milliseconds if the lists are long.
      await turn();
      ancestors.push(prepare(evaluatedPassport(ancestor)));
    }
    const atMs = context.clock.now();
    const { proof: text, ...query } = intent;
    const proof =
      text === undefined ? undefined : (await checkProof(text, { passport, intent: query, at: atMs })).fact;
    const question = {
      passport: preparedPassport,
      intent: query,
      at: atMs,
      caller,
      ancestors,
      proof,
      budgets: DEFERRED,
    };
    const verdict = decide(question, rules);
    if (verdict.verdict !== 'ALLOW') return verdict;
    const fitting = await spending.trial(preparedPassport, ancestors, query);
    const isAsked =
      fitting.verdict === 'ALLOW' && approvalAsked([preparedPassport, ...ancestors], query) !== undefined;
    return isAsked ? ASKED : fitting;
  };
}

/** The verdict if an approval is required. A trial creates and uses no approval. */
const ASKED: Verdict = {
  verdict: 'DENY',
  reasons: [approvalRequired({ approval_id: null, expires_at: null })],
};

/** Returns the passport in the form that the rules evaluate, with its account. */
export function evaluatedPassport(record: PassportRecord): Passport {
  return { agent_id: record.id, ...record } as Passport;
}
