/** Approvals: which intents need a person, and what the approval of a question came to. */
import { type ActionSet, actionSet, matchesAction } from '../base/action.ts';
import { APPROVAL_SECONDS, isApprovalSeconds } from '../base/approval.ts';
import { amountText, compareAmounts, readAmount } from '../base/money.ts';
import type { Amount, ApprovalRequirement, Reason } from '../records.ts';
import { demand, type Elements, isRecord, membersOf, NOTHING, namedActions } from './read.ts';

/** What the approval that an intent names came to. */
export interface ApprovalFact {
  /** `approved`: for exactly this intent, and not used yet; `mismatch`: for another one, or unknown. */
  readonly state: 'approved' | 'pending' | 'rejected' | 'expired' | 'used' | 'mismatch';
}

/** @internal The approval rule of a passport, made ready. */
export interface PolicyApproval {
  /** `undefined`: no amount needs one. */
  readonly above: Amount | undefined;
  /** `undefined`: no action needs one. */
  readonly actions: ActionSet | undefined;
  readonly seconds: number;
}

/** @internal The codes of these reasons, each with its sentence. */
export const APPROVAL_MESSAGES = {
  approval_required: 'A person must approve the intent.',
  approval_pending: 'The approval is not decided yet.',
  approval_rejected: 'The approval was rejected.',
  approval_expired: 'The approval is expired.',
  approval_used: 'The approval was used before.',
  approval_mismatch: 'The approval is not for this intent.',
} as const;

/** The reason for each state that does not permit an ALLOW. */
const REASONS: Readonly<Record<Exclude<ApprovalFact['state'], 'approved'>, Reason>> = {
  pending: reason('approval_pending'),
  rejected: reason('approval_rejected'),
  expired: reason('approval_expired'),
  used: reason('approval_used'),
  mismatch: reason('approval_mismatch'),
};

/** @internal The reason where a person must approve; `facts` name the approval. */
export function approvalRequired(facts: Readonly<Record<string, string | boolean | null>>): Reason {
  return reason('approval_required', facts);
}

/** @internal The reasons of the state of an approval; none for one that may be used. */
export function approvalReasons(state: ApprovalFact['state']): readonly Reason[] {
  return state === 'approved' ? [] : [REASONS[state]];
}

function reason(
  code: keyof typeof APPROVAL_MESSAGES,
  facts: Readonly<Record<string, string | boolean | null>> = {},
): Reason {
  return Object.freeze({ code, message: APPROVAL_MESSAGES[code], ...facts });
}

/** What the approval rule of a passport is read with. */
interface ApprovalContext {
  readonly currency: string | null;
  readonly decimals: number | undefined;
  readonly elements: Elements;
  /** Whether the passport has `monetary_actions`. */
  readonly hasMonetary: boolean;
}

/** @internal The approval rule of a passport. Throws for one that is not valid; `undefined` without one. */
export function approvalOf(
  given: unknown,
  { currency, decimals, elements, hasMonetary }: ApprovalContext,
): PolicyApproval | undefined {
  if (given === undefined) return undefined;
  const members = membersOf<keyof ApprovalRequirement>(given);
  const { above, actions, seconds = APPROVAL_SECONDS.default } = members;
  demand(isApprovalSeconds(seconds) && (above !== undefined || actions !== undefined));
  const named = namedActions(actions, elements);
  if (above === undefined) return { above, actions: named && actionSet(named), seconds };
  demand(currency !== null && hasMonetary);
  const amount = readAmount(above, decimals);
  demand(amount !== null);
  return { above: amount, actions: named && actionSet(named), seconds };
}

/** @internal Why a person must approve an intent, as facts of the reason; `undefined`: it needs none. */
export function approvalNeed(
  { above, actions }: PolicyApproval,
  action: string,
  amount: Amount | null | undefined,
): Readonly<Record<string, string>> | undefined {
  const isAbove =
    above !== undefined && amount !== undefined && amount !== null && compareAmounts(amount, above) > 0;
  const isNamed = matchesAction(actions, action);
  if (!isAbove && !isNamed) return undefined;
  return {
    ...(isAbove && { above: amountText(above), actual: amountText(amount) }),
    ...(isNamed && { action }),
  };
}

const UNASKED = approvalRequired({ approval_id: null, expires_at: null });

/** @internal The reasons about the approval of a question. Throws for any other value. */
export function approvalVerdict(isNeeded: boolean, given: unknown): readonly Reason[] {
  // Otherwise a member that was added to `Object.prototype` would be read as an approval.
  demand(NOTHING.approval === undefined);
  if (given === undefined) return isNeeded ? [UNASKED] : [];
  demand(isRecord(given));
  const { state }: { readonly state?: unknown } = Object.setPrototypeOf({ ...given }, null);
  if (state === 'approved') return [];
  demand(typeof state === 'string' && Object.hasOwn(REASONS, state));
  return approvalReasons(state as ApprovalFact['state']);
}
