/** The entry point `./verdict`: evaluates intents with a pure function, without dependencies. */
export type * from '../records/asked.ts';
export type {
  Amount,
  ApprovalBy,
  ApprovalRequirement,
  Budget,
  BudgetUnit,
  BudgetWindow,
  Instant,
  Intent,
  IntentUsage,
  Passport,
  PassportInput,
  PassportStatus,
  PermitRequest,
  ProofRequirement,
  Reason,
  ReasonCode,
  Verdict,
} from '../records.ts';
export { type CouldAllowOptions, couldAllow } from './could-allow.ts';
export { decide } from './decide.ts';
export { DECISION_VERSION } from './decision-version.ts';
export { type LimitsBehind, limitsBehind } from './limits-behind.ts';
export { type PreparedPassport, prepare } from './prepare.ts';
export type { Caller, Facts, Question, Rule } from './rule.ts';
export { defaultRules } from './rule-list.ts';
export { unreadPart } from './unread-parts.ts';
