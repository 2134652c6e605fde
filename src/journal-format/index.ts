/** Packs verdict records into blocks of bytes for the journal, and reads them back. */
export { readAncestors } from './ancestors.ts';
export {
  type BlockBuilder,
  createBlockBuilder,
  mergedRecords,
  namedBlock,
  packRecords,
  type TimedRecord,
} from './block-builder.ts';
export { type BlockView, openBlock } from './block-view.ts';
export { createByteWriter, type Drop } from './bytes.ts';
export type { SealedBlock } from './encode.ts';
export { filterHashes } from './filter.ts';
export {
  createFold,
  type FoldedMinute,
  foldBlock,
  type LatencyCount,
  startOfMinute,
  type VerdictCount,
} from './fold.ts';
export { blockProblem, isBlockError, isNewerBlock, MAX_RECORDS, MAX_REPORTS } from './format.ts';
export type { NameColumn } from './names.ts';
export {
  type OutcomeColumns,
  type OutcomeReport,
  type PackedOutcomes,
  packOutcomes,
} from './outcome-columns.ts';
export {
  ERASED,
  eraseSubject,
  SALT_BYTES,
  type SaltedSubject,
  type SubjectBytes,
  type SubjectColumn,
  saltedAt,
  subjectAt,
  withDigests,
} from './subjects.ts';
