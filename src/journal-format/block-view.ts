/** Reads a block. Decodes each column once, when it is first read. */
import { idSpeller } from '../base/bytes/counted-ids.ts';
import { instantSpeller } from '../base/values/instant.ts';
import { parseUsage } from '../base/values/usage.ts';
import type { Reason, VerdictRecord } from '../records.ts';
import type { AmountColumn } from './amounts.ts';
import { readBudgets } from './budgets.ts';
import type { Drop } from './bytes.ts';
import { type ColumnReaders, createColumnReaders } from './column-readers.ts';
import type { AskContext } from './context.ts';
import { orDamaged } from './format.ts';
import type { NameColumn } from './names.ts';
import type { OutcomeColumns } from './outcome-columns.ts';
import type { Fact, ReasonShape } from './reasons.ts';
import { digestAt, ERASED, type SubjectColumn, subjectAt } from './subjects.ts';

/** The records of a block, sorted by `evaluated_at` and `decision_id`, and the counts of dropped records. */
export interface BlockView {
  readonly length: number;
  readonly drops: readonly Drop[];
  /** The instant of each record, in milliseconds since the Unix epoch. */
  readonly times: ArrayLike<number>;
  readonly agents: NameColumn;
  readonly actions: NameColumn;
  /** The targets. Number 0 means no target. */
  readonly targets: NameColumn;
  /** The contexts (caller and mode), and the number of the context for each record. */
  readonly contexts: { readonly numbers: ArrayLike<number>; readonly values: readonly AskContext[] };
  /**
   * The reasons as shapes, and the number of the shape for each record. A shape is a list of reasons without their
   * values.
   */
  readonly reasons: { readonly numbers: ArrayLike<number>; readonly shapes: readonly ReasonShape[] };
  /** The passport version of each record plus 1, or 0 if the record has no passport. */
  readonly versions: ArrayLike<number>;
  /** The latency bucket of each record. */
  readonly latencies: ArrayLike<number>;
  readonly amounts: AmountColumn;
  /** The request id of each record. The list may be shorter if the last records have none. */
  readonly requests: readonly (string | null)[];
  /**
   * The id of the agent key that signed the proof of possession, for each record. Empty if no record of the
   * block has one.
   */
  readonly proofs: readonly (string | null)[];
  /** The versions of the ancestors' passports as JSON, for each record. Empty if no record of the block has any. */
  readonly ancestors: readonly (string | null)[];
  /** The trace id of each record. Empty if no record of the block has one. */
  readonly traces: readonly (string | null)[];
  readonly subjects: SubjectColumn;
  /**
   * Returns the digest of the subject of a record. Returns `undefined` if the record has no subject or the block has no
   * digests.
   */
  subjectDigest(row: number): Uint8Array | undefined;
  /** The approval that the intent named, for each record. Empty if no record of the block has one. */
  readonly approvals: readonly (string | null)[];
  /** `false` if the block comes from an old release, which stored no approvals and no holds. Both are then unknown. */
  readonly hasApprovals: boolean;
  /** The hold seconds of each record. Empty if no record of the block has a hold. */
  readonly holds: readonly (number | null)[];
  /** The permit audience of each record. Empty if no record of the block has one. */
  readonly permits: readonly (string | null)[];
  /** The name of the local verifier that decided, for each record. Empty if no record of the block has one. */
  readonly verifiers: readonly (string | null)[];
  /** The usage of each intent as text, such as `tokens=1200`. Empty if no record of the block has one. */
  readonly usages: readonly (string | null)[];
  /** `false` if the block has a column that would be lost if its records were packed again. */
  readonly isCarried: boolean;
  /** `false` if a newer release wrote the block with a column that this release does not know. */
  readonly isKnown: boolean;
  /** The reports of outcomes. A block with reports contains no records. */
  readonly outcomes: OutcomeColumns;
  decisionId(row: number): string;
  /**
   * Decodes a record.
   *
   * @throws {Error} A block error for a damaged column.
   */
  record(row: number): VerdictRecord;
  /**
   * Decodes all columns, one piece in each step.
   *
   * @throws {Error} A block error for the first damaged column.
   */
  pieces(): Iterable<void>;
}

const COLUMNS = [
  ...(['times', 'counts', 'agents', 'actions', 'targets', 'contexts', 'reasons', 'amounts'] as const),
  ...(['versions', 'latencies', 'requests', 'proofs', 'ancestors', 'traces', 'budgets'] as const),
  ...(['subjects', 'approvals', 'holds', 'permits', 'verifiers', 'usages', 'drops', 'outcomes'] as const),
];

/**
 * Opens the bytes of a block. `erasable` contains the subjects of the block, which are stored separately.
 *
 * @throws {Error} A block error if `data` is damaged, either now or when a column is read.
 */
export function openBlock(data: Uint8Array, erasable?: Uint8Array): BlockView {
  const columns = createColumnReaders(data, erasable);
  const spellInstant = instantSpeller();
  const spellId = idSpeller(columns.prefix);
  const decisionId = (row: number): string => spellId(columns.counts()[row] as number);

  return {
    length: columns.length,
    get drops() {
      return columns.drops();
    },
    get times() {
      return columns.times();
    },
    get agents() {
      return columns.agents();
    },
    get actions() {
      return columns.actions();
    },
    get targets() {
      return columns.targets();
    },
    get contexts() {
      return columns.contexts();
    },
    get reasons() {
      return columns.reasons();
    },
    get versions() {
      return columns.versions();
    },
    get latencies() {
      return columns.latencies();
    },
    get amounts() {
      return columns.amounts();
    },
    get requests() {
      return columns.requests();
    },
    get proofs() {
      return columns.proofs();
    },
    get ancestors() {
      return columns.ancestors();
    },
    get traces() {
      return columns.traces();
    },
    get subjects() {
      return columns.subjects();
    },
    subjectDigest: (row) => digestAt(columns.subjects(), row),
    get outcomes() {
      return columns.outcomes();
    },
    get approvals() {
      return columns.approvals();
    },
    hasApprovals: columns.hasApprovals,
    get holds() {
      return columns.holds();
    },
    get permits() {
      return columns.permits();
    },
    get usages() {
      return columns.usages();
    },
    get verifiers() {
      return columns.verifiers();
    },
    isCarried: columns.isCarried,
    isKnown: columns.isKnown,
    decisionId,
    pieces: () => piecesOf(columns),
    record: (row) => orDamaged(() => recordAt(columns, row, { decisionId, spellInstant })),
  };
}

function* piecesOf(columns: ColumnReaders): Generator<undefined, void> {
  for (const column of COLUMNS) {
    columns[column]();
    yield;
  }
  yield* columns.factPieces();
}

interface Spellers {
  readonly decisionId: (row: number) => string;
  readonly spellInstant: (ms: number) => string;
}

function recordAt(
  columns: ColumnReaders,
  row: number,
  { decisionId, spellInstant }: Spellers,
): VerdictRecord {
  const target = columns.targets().numbers[row] as number;
  const { numbers, values } = columns.contexts();
  const { environment, dry_run, currency, key_id } = values[numbers[row] as number] as AskContext;
  const reasons = reasonsAt(columns, row);
  const version = columns.versions()[row] as number;
  const subject = subjectAt(columns.subjects(), row);
  const record = {
    verdict: reasons.length === 0 ? ('ALLOW' as const) : ('DENY' as const),
    reasons,
    decision_id: decisionId(row),
    agent_id: nameAt(columns.agents(), row),
    action: nameAt(columns.actions(), row),
    target: target === 0 ? null : nameAt(columns.targets(), row),
    amount: columns.amounts().at(row),
    currency,
    passport_version: version === 0 ? null : version - 1,
    ancestor_versions: columns.ancestorVersions(row),
    environment,
    key_id,
    request_id: columns.requests()[row] ?? null,
    trace_id: columns.traces()[row] ?? null,
    dry_run,
    proof_kid: columns.proofs()[row] ?? null,
    subject: subject || null,
    approval_id: columns.approvals()[row] ?? null,
    hold_seconds: columns.holds()[row] ?? null,
    verifier: columns.verifiers()[row] ?? null,
    permit_audience: columns.permits()[row] ?? null,
    budgets: readBudgets(columns.budgets()[row], nameAt(columns.agents(), row)),
    evaluated_at: spellInstant(columns.times()[row] as number),
  };
  const usage = columns.usages()[row];
  if (usage) Object.assign(record, { usage: parseUsage(usage) });
  return subject === ERASED ? Object.assign(record, WAS_ERASED) : record;
}

const WAS_ERASED = { subject_erased: true } as const;

const NO_REASONS: readonly Reason[] = Object.freeze([]);

function reasonsAt(columns: ColumnReaders, row: number): readonly Reason[] {
  const { numbers, shapes } = columns.reasons();
  const shape = shapes[numbers[row] as number] as ReasonShape;
  return shape.codes.length === 0 ? NO_REASONS : shape.build(columns.facts()[row] as readonly Fact[]);
}

function nameAt({ numbers, texts }: NameColumn, row: number): string {
  return texts[numbers[row] as number] as string;
}
