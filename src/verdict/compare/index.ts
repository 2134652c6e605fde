/** The entry point `./verdict/compare`: shows which intents a change of a passport newly allows or denies. */
export type * from '../../records/asked.ts';
export type * from '../../records/comparison.ts';
export type { Instant, Intent, Passport, Reason } from '../../records.ts';
export { compare, compareFields } from './compare.ts';
export { differenceSentence } from './difference-sentence.ts';
