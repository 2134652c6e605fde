/** The entry point `./guard`: a verdict before each call of a tool. */

export type { AskedApproval } from '../base/async/guarded-call.ts';
export type { OutcomeReceiver } from '../base/async/outcome-reports.ts';
export type { Pause } from '../base/async/pause.ts';
export {
  type FieldError,
  IdentityError,
  type IdentityErrorCode,
  type IdentityErrorDetails,
} from '../errors.ts';
export type { Outcome, OutcomeInput } from '../records/outcome.ts';
export type {
  Amount,
  Environment,
  Instant,
  Intent,
  IntentUsage,
  PermitRequest,
  Reason,
  ReasonCode,
  Verdict,
  VerdictRecord,
} from '../records.ts';
export type { JudgeOptions } from './answer-call.ts';
export type { GuardApprovals, NeededApproval } from './approvals.ts';
export type { CallAccess, ReadAccess } from './call-access.ts';
export type { Explain, ToolGuardOptions } from './guard-options.ts';
export {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  hasDisguisedName,
} from './guarded-tools.ts';
export { type GuardedViewOptions, guardedView } from './guarded-view.ts';
export type * from './tool-call.ts';
export { createToolGuard, type ToolGuard, type ToolListing, toolListing } from './tool-guard.ts';
export { type ModelUsage, usageOf } from './usage-of.ts';
