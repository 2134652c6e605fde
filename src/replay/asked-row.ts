/** The question of a record, as far as it is recorded. */
import type { BlockView } from '../blocks/index.ts';
import type { Amount } from '../records.ts';
import {
  codesIn,
  NOTHING_STANDS,
  type RecordedCodes,
  type StandingReasons,
  standingReasons,
} from './recorded-reasons.ts';

/** A recorded question and what is known of its verdict. `null`: the member was given, and is not valid. */
export interface AskedRow {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly agent_id: string;
  readonly action: string;
  readonly target: string | undefined;
  readonly amount: Amount | null | undefined;
  readonly currency: string | null | undefined;
  readonly codes: RecordedCodes;
  readonly standing: StandingReasons;
  /** The key of a valid proof. */
  readonly kid: string | null;
  /** The problem of a proof that is not valid; with a `kid` the proof is valid, but not of the whole intent. */
  readonly problem: string | undefined;
  /** False when neither approvals nor holds were recorded. */
  readonly hasApprovals: boolean;
  readonly approval_id: string | null;
  readonly hold_seconds: number | null;
  readonly subject: string | null;
  /** True when the intent had a subject that can no longer be read. */
  readonly isErased: boolean;
}

/** Reads the questions of the rows of a block. */
export type ReadAsked = (place: number) => AskedRow;

/** Makes the reader of the rows of a block. */
export function askedRows(view: BlockView): ReadAsked {
  const { times, agents, actions, targets, contexts, amounts, proofs, approvals, holds, subjects } = view;
  const { hasApprovals } = view;
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
      amount: amounts.at(place) ?? (codes.isAmountInvalid ? null : undefined),
      currency: currency ?? (codes.isCurrencyInvalid ? null : undefined),
      codes,
      standing: reasons === undefined ? NOTHING_STANDS : standingReasons(reasons),
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
