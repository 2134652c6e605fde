/** The verdict as a pure function, without any dependency. */
export type {
  Amount,
  Instant,
  Intent,
  Passport,
  PassportInput,
  PassportStatus,
  Reason,
  ReasonCode,
  Verdict,
} from '../records.ts';
export { decide } from './decide.ts';
export { defaultRules } from './default-rules.ts';
export { type PreparedPassport, prepare } from './prepare.ts';
export type { Caller, Facts, Question, Rule } from './rule.ts';
