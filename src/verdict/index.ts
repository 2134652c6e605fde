/** The door `./verdict`: the verdict as a pure function, without any dependency. */
export type {
  Amount,
  ApprovalRequirement,
  Budget,
  BudgetWindow,
  Instant,
  Intent,
  Passport,
  PassportInput,
  PassportStatus,
  ProofRequirement,
  Reason,
  ReasonCode,
  Verdict,
} from '../records.ts';
export type { ApprovalFact } from './approval.ts';
export type { SpentBudgets } from './budgets.ts';
export { decide } from './decide.ts';
export { type PreparedPassport, prepare } from './prepare.ts';
export type { ProofFact, ProofProblem } from './proof.ts';
export type { Caller, Facts, Question, Rule } from './rule.ts';
export { defaultRules } from './rule-list.ts';
