/**
 * Evaluates approvals: whether a person must approve the intent, and the state of the approval that the intent names.
 */
import { type ActionSet, actionSet, matchesAction } from '../base/values/action.ts';
import {
  APPROVAL_COUNT,
  APPROVAL_SECONDS,
  isApprovalBy,
  isApprovalCount,
  isApprovalSeconds,
} from '../base/values/approval.ts';
import { amountText, compareAmounts, readAmount } from '../base/values/money.ts';
import type { ApprovalFact } from '../records/asked.ts';
import type { Amount, ApprovalRequirement, Reason } from '../records.ts';
import { demand, type Elements, isRecord, membersOf, NOTHING, namedActions } from './read.ts';

/** @internal The approval rule of a passport, prepared for evaluation. */
export interface PolicyApproval {
  /** The amount above which an intent needs an approval. `undefined`: the amount does not matter. */
  readonly above: Amount | undefined;
  readonly actions: ActionSet | undefined;
  readonly seconds: number;
  readonly count: number;
  /**
   * `true` excludes approvals from the person who asked, and from the person who made the last change that lets the
   * agent do more.
   */
  readonly another: boolean;
  /** `true`: a change of the passport that lets the agent do more needs an approval. */
  readonly changes: boolean;
}

/** @internal The messages of the reasons about approvals, by code. */
export const APPROVAL_MESSAGES = {
  approval_required: 'A person must approve the intent.',
  approval_pending: 'The approval is not decided yet.',
  approval_rejected: 'The approval was rejected.',
  approval_expired: 'The approval is expired.',
  approval_used: 'The approval was used before.',
  approval_mismatch: 'The approval is not for this intent.',
} as const;

const REASONS: Readonly<Record<Exclude<ApprovalFact['state'], 'approved'>, Reason>> = {
  pending: reason('approval_pending'),
  rejected: reason('approval_rejected'),
  expired: reason('approval_expired'),
  used: reason('approval_used'),
  mismatch: reason('approval_mismatch'),
};

/** @internal Returns the reason that a person must approve the intent. `facts` contains the data of the approval. */
export function approvalRequired(facts: Readonly<Record<string, string | boolean | null>>): Reason {
  return reason('approval_required', facts);
}

/** @internal Returns the reason that too few people have approved so far. */
export function approvalPending(facts: { readonly given: number; readonly needed: number }): Reason {
  return reason('approval_pending', facts);
}

/** @internal Returns the reasons for the state of an approval. The list is empty if the approval may be used. */
export function approvalReasons(state: ApprovalFact['state']): readonly Reason[] {
  return state === 'approved' ? [] : [REASONS[state]];
}

function reason(
  code: keyof typeof APPROVAL_MESSAGES,
  facts: Readonly<Record<string, string | number | boolean | null>> = {},
): Reason {
  return Object.freeze({ code, message: APPROVAL_MESSAGES[code], ...facts });
}

interface ApprovalContext {
  readonly currency: string | null;
  readonly decimals: number | undefined;
  readonly elements: Elements;
  readonly hasMonetary: boolean;
}

/**
 * @internal Reads the approval rule of a passport. Returns `undefined` if there is none. Throws if the rule is not
 * valid.
 */
export function approvalOf(
  value: unknown,
  { currency, decimals, elements, hasMonetary }: ApprovalContext,
): PolicyApproval | undefined {
  if (value === undefined) return undefined;
  const members = membersOf<keyof ApprovalRequirement>(value);
  const { above, actions, seconds = APPROVAL_SECONDS.default, count = APPROVAL_COUNT.default } = members;
  const { by = 'anyone', changes = false } = members;
  demand(isApprovalSeconds(seconds) && isApprovalCount(count) && isApprovalBy(by));
  demand(typeof changes === 'boolean' && (above !== undefined || actions !== undefined || changes));
  const actionNames = namedActions(actions, elements);
  const rule = {
    actions: actionNames && actionSet(actionNames),
    seconds,
    count,
    another: by === 'another',
    changes,
  };
  if (above === undefined) return { above, ...rule };
  demand(currency !== null && hasMonetary);
  const amount = readAmount(above, decimals);
  demand(amount !== null);
  return { above: amount, ...rule };
}

/**
 * @internal Returns the facts that explain why a person must approve the intent. Returns `undefined` if no approval is
 * needed.
 */
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

/**
 * @internal Returns the reasons about the approval that the intent names. Throws if `value` is not an {@link
 * ApprovalFact}.
 */
export function approvalVerdict(isNeeded: boolean, value: unknown): readonly Reason[] {
  // Otherwise a member that was added to `Object.prototype` would be read as an approval.
  demand(NOTHING.approval === undefined);
  if (value === undefined) return isNeeded ? [UNASKED] : [];
  demand(isRecord(value));
  const { state }: { readonly state?: unknown } = Object.setPrototypeOf({ ...value }, null);
  if (state === 'approved') return [];
  demand(typeof state === 'string' && Object.hasOwn(REASONS, state));
  return approvalReasons(state as ApprovalFact['state']);
}
