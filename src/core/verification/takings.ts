/**
 * Spends from budgets or holds an amount for an `ALLOW`. Uses up the proof of possession, the approval and the
 * idempotency key. No other code does this.
 */

import type { Deadlines } from '../../base/async/deadlines.ts';
import { parseInstant } from '../../base/values/instant.ts';
import type { Seal } from '../../credential/seal.ts';
import { IdentityError, overloaded } from '../../errors.ts';
import type { Approval } from '../../records/approval.ts';
import type { PermitObstacle } from '../../records/permit.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { type ApprovalPlan, type ApprovalPlanner, concernsApproval } from '../approvals/approval-plan.ts';
import { sealedMark } from '../outcomes/order-marks.ts';
import { lastLook } from '../shared/idempotency.ts';
import type { MadePart, Spending, SpendRequest, Taking } from '../spending/spending.ts';
import type { Ancestry, KnownPassport } from '../storage/caches.ts';
import { notWritten } from '../storage/store.ts';
import type { KeptTerms, KeyedVerdict } from './replays.ts';

/** A verdict of the rules, before the write that spends. */
export interface ToTake {
  readonly record: VerdictRecord;
  readonly intent: Intent;
  readonly found: KnownPassport | undefined;
  /** The passports of the ancestors, if the agent has a parent. */
  readonly ancestry: Ancestry | undefined;
  readonly keyed: KeyedVerdict | undefined;
  /** The steps in order. The first step that fails gives the only reason. */
  readonly takings: readonly Taking[];
  /** The member for whom the application asks. Absent if it names none. */
  readonly requested_by?: string | undefined;
  /** The terms of the permit. Absent without a permit. */
  readonly permitTerms?: KeptTerms;
  /** The passport of the agent, if it is created with this `ALLOW`. */
  readonly made?: MadePart | undefined;
}

/** A verdict. `isReplay` means that an earlier request got the same verdict. */
export interface Taken {
  readonly record: VerdictRecord;
  readonly isReplay: boolean;
  /** The terms of the permit of the first answer, if the verdict is a replay. */
  readonly permitTerms?: KeptTerms | undefined;
  /** The permit, if the intent asks for one; `null` if there is none. The journal does not store it. */
  readonly permit?: string | null;
  /**
   * The mark of an `ALLOW` for which a rule of order counts the outcome. The agent sends the mark back with
   * its report of the outcome. The journal does not store it.
   */
  readonly mark?: string;
  /**
   * `true` if another request has created the passport of the agent. Nothing was spent, and the verdict is not valid.
   */
  readonly isOvertaken?: true;
}

/** The parts that a spend uses. */
export interface TakingParts {
  /** Signs the marks of outcomes, so that only the service can create them. */
  readonly seal: Seal;
  readonly spending: Spending;
  readonly planApproval: ApprovalPlanner;
  /** Receives a new approval that waits for a person. */
  readonly tellAsked: (approval: Approval) => void;
}

/** The maximum number of attempts. After that many conflicts the storage counts as broken. */
const MAX_TRIES = 6;

/**
 * Spends everything in one write, or nothing, and returns the verdict. A `DENY` spends nothing, and a repeated request
 * evaluates the intent again. Rejects if the storage does not answer. The write may then have been stored; a retry with
 * the same key finds it.
 */
export async function takeAll(parts: TakingParts, toTake: ToTake): Promise<Taken> {
  return withMark(parts.seal, toTake, await takeUnmarked(parts, toTake));
}

async function takeUnmarked(parts: TakingParts, toTake: ToTake): Promise<Taken> {
  const { record, intent, found: passport, ancestry, keyed } = toTake;
  if (record.verdict !== 'ALLOW' || passport === undefined) {
    await looked(keyed);
    return { record, isReplay: false };
  }
  if (keyed === undefined || record.dry_run) return takeOf(passport, parts, toTake);
  /**
   * Returns the stored answer for the key. The answer is no replay if this request stored it but lost the answer of the
   * storage.
   */
  const readAnswer = async (): Promise<Taken | undefined> => {
    const turn = await keyed.look();
    if (turn.found === undefined) return undefined;
    const first = await turn.replay(() => parts.spending.statesNow(requestOf(passport, toTake)));
    return { ...first, isReplay: first.record.decision_id !== record.decision_id };
  };
  try {
    const result = await takeOf(passport, parts, toTake);
    // The write that refuses an approval does not check the key: a copy of the request on another node may have used the approval.
    const isUnsure =
      result.record.verdict === 'DENY' && concernsApproval(intent, passportsOf(passport, ancestry));
    return (isUnsure ? await readAnswer() : undefined) ?? result;
  } catch (error) {
    return lastLook(error, readAnswer);
  }
}

/**
 * Adds the mark to an `ALLOW` if its outcome counts. A replay also gets the mark, because the first answer may be lost.
 */
function withMark(seal: Seal, { found: passport, ancestry, intent }: ToTake, result: Taken): Taken {
  const { record } = result;
  if (passport === undefined || record.verdict !== 'ALLOW' || record.dry_run) return result;
  const passports = passportsOf(passport, ancestry);
  const mark = sealedMark(seal, { account_id: passport.account_id, intent, passports }, record);
  return mark === undefined ? result : { ...result, mark };
}

function passportsOf(passport: KnownPassport, ancestry: Ancestry | undefined): readonly PreparedPassport[] {
  return [passport.prepared, ...(ancestry?.prepared ?? [])];
}

function requestOf(passport: KnownPassport, toTake: ToTake): SpendRequest {
  const { record, intent, ancestry, takings, permitTerms, made } = toTake;
  const permitExp = permitTerms?.exp;
  return { record, intent, found: passport, ancestors: ancestry?.prepared, takings, permitExp, made };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: it runs for each verdict that takes something, where a further function costs time.
async function takeOf(
  passport: KnownPassport,
  { spending, planApproval, tellAsked }: TakingParts,
  toTake: ToTake,
): Promise<Taken> {
  const { record, intent, ancestry, keyed, requested_by } = toTake;
  const request = requestOf(passport, toTake);
  const passports = passportsOf(passport, ancestry);
  const isAsked = concernsApproval(intent, passports);
  // A write finds a known key by itself. A dry run writes nothing, and an approval is read first: both ask for the key.
  let turn = record.dry_run || isAsked ? await looked(keyed) : keyed;
  let approval: ApprovalPlan | undefined;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    if (turn?.found !== undefined) {
      return { ...(await turn.replay(() => spending.statesNow(request))), isReplay: true };
    }
    if (approval === undefined && isAsked) {
      approval = await planApproval({
        record,
        intent,
        account_id: passport.account_id,
        passports,
        requested_by,
      });
    }
    const remember = record.dry_run
      ? undefined
      : turn?.remember(record, passport.account_id, toTake.permitTerms);
    const isPlain = remember === undefined && approval === undefined;
    const outcome = await spending.take(
      isPlain ? request : { ...request, ...(approval && { approval }), remember },
    );
    switch (outcome.outcome) {
      case 'key':
        turn = await turn?.look();
        break;
      case 'made':
        return { record, isReplay: false, isOvertaken: true };
      case 'approval':
        approval = await approval?.again(outcome.answer);
        break;
      case 'idle':
        if (turn === undefined || turn.isLooked) return { record: outcome.record, isReplay: false };
        turn = await turn.look();
        break;
      case 'decided': {
        const { asked, refusal } = approval ?? {};
        if (asked !== undefined && outcome.record.reasons === refusal) tellAsked(asked);
        const first = turn === undefined ? outcome.record : await completed(turn, outcome.record);
        return { record: first, isReplay: false };
      }
    }
  }
  throw notWritten();
}

async function looked(keyedVerdict: KeyedVerdict | undefined): Promise<KeyedVerdict | undefined> {
  return keyedVerdict === undefined || keyedVerdict.isLooked ? keyedVerdict : keyedVerdict.look();
}

async function completed(keyedVerdict: KeyedVerdict, record: VerdictRecord): Promise<VerdictRecord> {
  const isRemembered = record.verdict === 'ALLOW' && !record.dry_run;
  if (!isRemembered || record.budgets.length === 0) return record;
  return keyedVerdict.complete(record);
}

// Takes for an `ALLOW` that carries a token. Only capabilities that sign call these functions.

/** An `ALLOW` that needs a permit, with the evaluated passports. */
interface ToPermit {
  readonly record: VerdictRecord;
  readonly intent: Intent;
  readonly found: KnownPassport;
  readonly ancestry: Ancestry | undefined;
}

/** A permit that the service may sign. */
interface PlannedPermit {
  /**
   * The end of the permit, and the state of the evidence log that the permit names. If the permit is signed again, it
   * names the same state and does not end later.
   */
  readonly terms: KeptTerms;
  /** The resource that may accept the permit. */
  readonly audience: string;
  /**
   * Signs the permit for this record. The permit ends at the end of `terms` at the latest.
   *
   * @throws {IdentityError} `overloaded` if it cannot be signed now.
   */
  sign(record: VerdictRecord, terms?: KeptTerms): Promise<string>;
}

/**
 * Plans a permit, or returns the reason why there is none. Rejects if the storage does not answer, or if the clock is
 * off.
 */
export type PlanPermit = (toPermit: ToPermit) => Promise<PlannedPermit | Reason>;

/** The functions that `takePermitted` calls. */
interface PermittedParts {
  readonly planPermit: PlanPermit;
  readonly take: (toTake: ToTake) => Promise<Taken>;
  readonly now: () => number;
}

/**
 * Spends for an intent that asks for a permit. The permit is signed first, so that nothing is spent if signing fails.
 * If the verdict becomes `DENY`, the permit is discarded.
 */
export async function takePermitted(parts: PermittedParts, toTake: ToTake): Promise<Taken> {
  const { planPermit, take } = parts;
  const { record, intent, found: passport, ancestry } = toTake;
  const withoutPermit = async (evaluatedRecord: VerdictRecord): Promise<Taken> => {
    return { ...(await take({ ...toTake, record: evaluatedRecord })), permit: null };
  };
  if (record.verdict === 'DENY' || passport === undefined) return withoutPermit(record);
  const plan = await planPermit({ record, intent, found: passport, ancestry });
  if ('code' in plan) return withoutPermit({ ...record, verdict: 'DENY', reasons: [plan satisfies Reason] });
  if (record.dry_run) return withoutPermit(record);
  const token = await plan.sign(record);
  const permittedRecord = { ...record, permit_audience: plan.audience };
  const result = await take({ ...toTake, record: permittedRecord, permitTerms: plan.terms });
  if (result.record.verdict === 'DENY') {
    return { ...result, record: { ...result.record, permit_audience: null }, permit: null };
  }
  if (result.record.decision_id === record.decision_id) return { ...result, permit: token };
  return { ...result, permit: await signedAgain(plan, result, parts.now()) };
}

/**
 * Signs the permit of the first answer again, with the same id and no later end. Returns `null` if the permit has
 * expired.
 */
async function signedAgain(plan: PlannedPermit, { record, permitTerms }: Taken, now: number) {
  if (permitTerms === undefined || permitTerms.exp * 1_000 <= now) return null;
  return plan.sign(record, permitTerms);
}

/** Returns the earliest expiry of the passports. */
export function earliestEnd(passports: readonly PreparedPassport[]): number {
  const ends = passports.map(({ passport: { expires_at } }) => expires_at && parseInstant(expires_at));
  return Math.min(...ends.map((end) => end || Number.POSITIVE_INFINITY));
}

/** Signs within the deadline of the storage. If the signer fails or is late, nothing is spent. */
export async function signWithin(
  sign: () => Promise<{ readonly token: string }>,
  { deadlines, maxLength }: { readonly deadlines: Deadlines; readonly maxLength: number },
): Promise<string> {
  try {
    const { token } = await deadlines.limit(sign);
    if (token.length > maxLength) throw new RangeError('The token would be too long.');
    return token;
  } catch (cause) {
    if (cause instanceof IdentityError && cause.code === 'storage_unavailable') throw cause;
    throw overloaded('The token could not be signed. Try again.', cause);
  }
}

/** Takes the amounts of a verdict, and signs its permit. */
export type TakePermitted = (take: (toTake: ToTake) => Promise<Taken>, toTake: ToTake) => Promise<Taken>;

/** Takes in a service that signs no permits: an `ALLOW` that needs one becomes a `DENY`. */
export const refusePermit: TakePermitted = async (take, toTake) => {
  const { record } = toTake;
  const reasons = [permitUnavailable('service')];
  const refusedRecord = record.verdict === 'DENY' ? record : { ...record, verdict: 'DENY' as const, reasons };
  return { ...(await take({ ...toTake, record: refusedRecord })), permit: null };
};

/** Returns the reason why an intent gets no permit. */
export function permitUnavailable(problem: PermitObstacle): Reason {
  return { code: 'permit_unavailable', message: 'The permit cannot be issued.', problem };
}
