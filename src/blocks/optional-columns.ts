/** The columns of a block that is built which few records need. */
import type { VerdictRecord } from '../records.ts';
import { ancestorsText } from './ancestors.ts';
import { filterHashes } from './filter.ts';
import { createRowNames, type RowNames } from './row-names.ts';
import { createRowTraces, type RowTraces } from './row-traces.ts';
import { ERASED } from './subjects.ts';

/** Columns of rows of which few have any. */
export interface OptionalColumns {
  /** The keys that proved intents. */
  readonly proofs: RowNames;
  /** The versions of the passports above, as texts of `ancestorsText`. */
  readonly ancestors: RowNames;
  readonly traces: RowTraces;
  /** The subjects; `ERASED` is one that was erased. */
  readonly subjects: RowNames;
  readonly approvals: RowNames;
  /** The audiences of permits. */
  readonly permits: RowNames;
  /** The names of the local verifiers that decided. */
  readonly verifiers: RowNames;
  /** The seconds of holds, by row. */
  readonly holds: readonly number[];
}

/** Optional columns to which rows are added. */
export interface GrowingOptionalColumns extends OptionalColumns {
  /** An estimate of the bytes that they will need. */
  readonly size: number;
  add(row: number, record: VerdictRecord): void;
  clear(): void;
}

/** Makes optional columns without a row. */
export function createOptionalColumns(): GrowingOptionalColumns {
  const proofs = createRowNames();
  const ancestors = createRowNames();
  const traces = createRowTraces();
  const subjects = createRowNames((subject) => (subject === ERASED ? [] : filterHashes('subject', subject)));
  const approvals = createRowNames();
  const permits = createRowNames();
  const verifiers = createRowNames();
  const columns = [proofs, ancestors, traces, subjects, approvals, permits, verifiers];
  let holds: number[] = [];
  return {
    proofs,
    ancestors,
    traces,
    subjects,
    approvals,
    permits,
    verifiers,
    get holds() {
      return holds;
    },
    get size() {
      return columns.reduce((sum, column) => sum + column.size, holds.length);
    },
    add(row, record) {
      proofs.add(row, record.proof_kid);
      if (record.ancestor_versions) ancestors.add(row, ancestorsText(record.ancestor_versions));
      traces.add(row, record.trace_id);
      subjects.add(row, record.subject_erased ? ERASED : record.subject);
      approvals.add(row, record.approval_id);
      permits.add(row, record.permit_audience);
      verifiers.add(row, record.verifier);
      if (record.hold_seconds) holds[row] = record.hold_seconds;
    },
    clear() {
      for (const column of columns) column.clear();
      holds = [];
    },
  };
}
