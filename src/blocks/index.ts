/**
 * The door `./blocks`: the codec of the journal, which packs verdict records into blocks of bytes and reads them back.
 */
export { toAmount } from '../base/money.ts';
/** @public */
export type { BlockHeader } from '../ports/journal.ts';
/** @public */
export type { Amount, Environment, Reason, VerdictRecord } from '../records.ts';
export { type BlockBuilder, createBlockBuilder, MAX_RECORDS } from './block-builder.ts';
export { type BlockView, openBlock } from './block-view.ts';
/** @public */
export { type ByteWriter, createByteWriter } from './bytes.ts';
/** @public */
export type { AskContext } from './context.ts';
export type { Drop } from './drops.ts';
export type { SealedBlock } from './encode.ts';
/** @public */
export { type FilterKind, filterHashes } from './filter.ts';
/** @public */
export {
  createFold,
  type Fold,
  type FoldedMinute,
  type FoldedPiece,
  foldBlock,
  type LatencyCount,
  startOfMinute,
  type VerdictCount,
} from './fold.ts';
export { isBlockError } from './format.ts';
/** @public */
export type { NameColumn } from './names.ts';
export { mergedRecords, packRecords, type TimedRecord } from './pack.ts';
/** @public */
export type { Fact, ReasonShape } from './reasons.ts';
