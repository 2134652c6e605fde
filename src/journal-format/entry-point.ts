/** The entry point `./journal`: reads the blocks of the journal from a receipt or an exported log. */

export type { Outcome } from '../records/outcome.ts';
export type { Amount, Environment, Reason, VerdictRecord } from '../records.ts';
export type { AmountColumn } from './amounts.ts';
export { type BlockView, openBlock } from './block-view.ts';
export type { Drop } from './bytes.ts';
export type { AskContext } from './context.ts';
export type { NameColumn } from './names.ts';
export type { OutcomeColumns, OutcomeReport } from './outcome-columns.ts';
export type { Fact, ReasonShape } from './reasons.ts';
export type { SubjectColumn } from './subjects.ts';
