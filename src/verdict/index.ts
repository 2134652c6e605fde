/** The verdict as a pure function, without any dependency. */
export type { Intent, Passport, Reason, Verdict } from '../records.ts';
export { decide } from './decide.ts';
export { defaultRules } from './default-rules.ts';
export { type PreparedPassport, prepare } from './prepare.ts';
export type { Caller, Facts, Question, Rule } from './rule.ts';
export type { ReasonCode } from './rules.ts';
