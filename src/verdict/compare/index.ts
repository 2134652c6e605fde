/** The entry point `./verdict/compare`: what a change of a passport lets happen, and no longer. */
export type * from '../../records/asked.ts';
export type * from '../../records/comparison.ts';
export type { Instant, Intent, Passport, Reason } from '../../records.ts';
export { compare } from './compare.ts';
export { compareFields } from './compare-fields.ts';
export { differenceSentence } from './difference-sentence.ts';
