/**
 * Finds the facts about an intent that follow from the codes of its recorded reasons. Each list of codes is handled
 * once.
 */
import { parseUsage } from '../base/values/usage.ts';
import type { BlockView } from '../journal-format/index.ts';
import type { Amount, IntentUsage, Reason } from '../records.ts';
import { CONDITION_MESSAGES } from '../verdict/conditions.ts';
import { unreadPart } from '../verdict/index.ts';

export interface RecordedCodes {
  readonly isAllow: boolean;
  /** The caller was not allowed to see the agent. */
  readonly isUnseen: boolean;
  /** The intent had an amount that is not an exact decimal, or has more decimals than its currency. */
  readonly isAmountInvalid: boolean;
  readonly isCurrencyInvalid: boolean;
  readonly isProofInvalid: boolean;
  readonly isTooManyHolds: boolean;
  readonly budgetsExceeded: number;
  /** A rule of order or a pace denied the intent. */
  readonly isTooFast: boolean;
  readonly isApprovalRequired: boolean;
  /**
   * `true` if the reasons themselves must be read: they may stay valid in the replay, or show that the intent was not
   * fully evaluated.
   */
  readonly needsReasons: boolean;
}

/**
 * The codes that stay valid whatever the passport says, because they describe the state of the service at that time.
 */
export const STANDING_CODES: ReadonlySet<string> = new Set([
  'agent_revoked',
  'agent_suspended',
  'permit_unavailable',
  'token_unavailable',
]);

const PROOF_STATES: ReadonlySet<string> = new Set(['proof_expired', 'proof_replayed']);

export const APPROVAL_STATES: ReadonlySet<string> = new Set([
  'approval_pending',
  'approval_rejected',
  'approval_expired',
  'approval_used',
  'approval_mismatch',
]);

const CONDITION_CODES: ReadonlySet<string> = new Set(Object.keys(CONDITION_MESSAGES));

const COUNTED_CODES: ReadonlySet<string> = new Set([
  'order_required',
  'order_forbidden',
  'pace_exceeded',
  'budget_exceeded',
]);

export function isOfCondition({ code, reason }: Reason): boolean {
  return CONDITION_CODES.has(code) || (code === 'parent_denied' && CONDITION_CODES.has(String(reason)));
}

export function codesIn({ reasons }: BlockView): readonly RecordedCodes[] {
  return reasons.shapes.map(({ codes }) => codesOf(codes));
}

function codesOf(codes: readonly string[]): RecordedCodes {
  const has = (code: string): boolean => codes.includes(code);
  return {
    isAllow: codes.length === 0,
    isUnseen: codes[0] === 'agent_not_found',
    isAmountInvalid: has('amount_invalid'),
    isCurrencyInvalid: has('currency_invalid'),
    isProofInvalid: has('proof_invalid'),
    isTooManyHolds: has('too_many_holds'),
    budgetsExceeded: codes.filter((code) => code === 'budget_exceeded').length,
    isTooFast: ['order_required', 'order_forbidden', 'pace_exceeded'].some(has),
    isApprovalRequired: has('approval_required'),
    needsReasons: codes.some(
      (code) =>
        STANDING_CODES.has(code) ||
        PROOF_STATES.has(code) ||
        APPROVAL_STATES.has(code) ||
        CONDITION_CODES.has(code) ||
        COUNTED_CODES.has(code) ||
        code === 'parent_denied' ||
        code === 'rule_failed',
    ),
  };
}

export interface StandingReasons {
  readonly states: readonly Reason[];
  readonly proof: Reason | undefined;
  readonly approval: Reason | undefined;
  readonly conditions: readonly Reason[];
  /** The rules of order, paces and budgets that denied. */
  readonly counted: readonly Reason[];
  /** `true` if the service did not evaluate the whole intent, so that other facts about it are unknown. */
  readonly isUnevaluated: boolean;
}

export const NOTHING_STANDS: StandingReasons = {
  states: [],
  proof: undefined,
  approval: undefined,
  conditions: [],
  counted: [],
  isUnevaluated: false,
};

export function standingReasons(reasons: readonly Reason[] | undefined): StandingReasons {
  if (reasons === undefined) return NOTHING_STANDS;
  return {
    states: reasons.filter(
      ({ code, reason }) =>
        STANDING_CODES.has(code) || (code === 'parent_denied' && STANDING_CODES.has(String(reason))),
    ),
    proof: reasons.find(({ code }) => PROOF_STATES.has(code)),
    approval: reasons.find(({ code }) => APPROVAL_STATES.has(code)),
    conditions: reasons.filter(isOfCondition),
    counted: reasons.filter(({ code }) => COUNTED_CODES.has(code)),
    isUnevaluated: reasons.length === 1 && reasons.some((reason) => unreadPart(reason) !== undefined),
  };
}

/**
 * A recorded intent and the known facts about its verdict. `null` means that the intent had an invalid value for this
 * member.
 */
export interface AskedRow {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly agent_id: string;
  readonly action: string;
  readonly target: string | undefined;
  readonly amount: Amount | null | undefined;
  readonly currency: string | null | undefined;
  readonly usage: IntentUsage | undefined;
  readonly codes: RecordedCodes;
  readonly standing: StandingReasons;
  /** The id of the agent key of a valid proof. */
  readonly kid: string | null;
  /**
   * The reason why a proof is not valid. If the record also has a `kid`, the proof is valid, but does not
   * cover the whole intent.
   */
  readonly problem: string | undefined;
  /** `false` if approvals and holds were not recorded. */
  readonly hasApprovals: boolean;
  readonly approval_id: string | null;
  readonly hold_seconds: number | null;
  readonly subject: string | null;
  /** `true` if the intent had a subject that can no longer be read. */
  readonly isErased: boolean;
}

export type ReadAsked = (place: number) => AskedRow;

function absentValue(isInvalid: boolean): null | undefined {
  return isInvalid ? null : undefined;
}

function usageIn(text: string | null | undefined): AskedRow['usage'] {
  return text ? parseUsage(text) : undefined;
}

export function askedRows(view: BlockView): ReadAsked {
  const { times, agents, actions, targets, contexts, amounts, proofs, approvals, holds, subjects } = view;
  const { hasApprovals, usages } = view;
  const reasonNumbers = view.reasons.numbers;
  const codesOf = codesIn(view);
  return (place) => {
    const codes = codesOf[reasonNumbers[place] as number] as RecordedCodes;
    const reasons = codes.needsReasons || codes.isProofInvalid ? view.record(place).reasons : undefined;
    const target = targets.numbers[place] as number;
    const currency = contexts.values[contexts.numbers[place] as number]?.currency ?? null;
    const subjectNumber = subjects.numbers[place] ?? 0;
    const subject = subjects.texts[subjectNumber] || null;
    return {
      at: times[place] as number,
      agent_id: agents.texts[agents.numbers[place] as number] as string,
      action: actions.texts[actions.numbers[place] as number] as string,
      target: target === 0 ? undefined : targets.texts[target],
      amount: amounts.at(place) ?? absentValue(codes.isAmountInvalid),
      currency: currency ?? absentValue(codes.isCurrencyInvalid),
      usage: usageIn(usages[place]),
      codes,
      standing: standingReasons(reasons),
      kid: proofs[place] ?? null,
      problem: reasons?.find(({ code }) => code === 'proof_invalid')?.['problem'] as string | undefined,
      hasApprovals,
      approval_id: approvals[place] ?? null,
      hold_seconds: holds[place] ?? null,
      subject,
      isErased: subjectNumber !== 0 && subject === null,
    };
  };
}
