/** A view of a block that decodes each column once, when it is first read. */
import { idSpeller } from '../base/bytes/counted-ids.ts';
import { instantSpeller } from '../base/values/instant.ts';
import type { Amount, Reason, VerdictRecord } from '../records.ts';
import { readAncestors } from './ancestors.ts';
import { readBudgets } from './budgets.ts';
import { type ColumnReaders, createColumnReaders } from './column-readers.ts';
import type { AskContext } from './context.ts';
import type { Drop } from './drops.ts';
import type { NameColumn } from './names.ts';
import type { Fact, ReasonShape } from './reasons.ts';

/** The records of a block, by their index in the order of (`evaluated_at`, `decision_id`), and its drops. */
export interface BlockView {
  readonly length: number;
  readonly drops: readonly Drop[];
  /** The instant of each record, in milliseconds since the Unix epoch. */
  readonly times: ArrayLike<number>;
  readonly agents: NameColumn;
  readonly actions: NameColumn;
  /** The targets; number 0 is no target. */
  readonly targets: NameColumn;
  /** The contexts, and for each record the number of its context. */
  readonly contexts: { readonly numbers: ArrayLike<number>; readonly values: readonly AskContext[] };
  /** The reasons as shapes, and for each record the number of its shape. */
  readonly reasons: { readonly numbers: ArrayLike<number>; readonly shapes: readonly ReasonShape[] };
  /** The version of the passport plus one; 0 without a passport. */
  readonly versions: ArrayLike<number>;
  /** The buckets of the latencies. */
  readonly latencies: ArrayLike<number>;
  /** The amount of each record. */
  readonly amounts: readonly (Amount | null)[];
  /** The request id of each record; shorter when the last records have none. */
  readonly requests: readonly (string | null)[];
  /** The key that proved each intent; empty in a block without any. */
  readonly proofs: readonly (string | null)[];
  /** The versions of the passports above, as JSON; empty in a block without any. */
  readonly ancestors: readonly (string | null)[];
  /** The trace of each question; empty in a block without any. */
  readonly traces: readonly (string | null)[];
  decisionId(place: number): string;
  record(place: number): VerdictRecord;
}

/** Opens the bytes of a block. Throws a block error when they are damaged, at once or when a column is read. */
export function openBlock(data: Uint8Array): BlockView {
  const columns = createColumnReaders(data);
  const spellInstant = instantSpeller();
  const spellId = idSpeller(columns.prefix);
  const decisionId = (place: number): string => spellId(columns.counts()[place] as number);

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
    decisionId,
    record(place) {
      const target = columns.targets().numbers[place] as number;
      const { numbers, values } = columns.contexts();
      const { environment, dry_run, currency, key_id } = values[numbers[place] as number] as AskContext;
      const reasons = reasonsAt(columns, place);
      const version = columns.versions()[place] as number;
      return {
        verdict: reasons.length === 0 ? 'ALLOW' : 'DENY',
        reasons,
        decision_id: decisionId(place),
        agent_id: nameAt(columns.agents(), place),
        action: nameAt(columns.actions(), place),
        target: target === 0 ? null : nameAt(columns.targets(), place),
        amount: columns.amounts()[place] ?? null,
        currency,
        passport_version: version === 0 ? null : version - 1,
        ancestor_versions: readAncestors(columns.ancestors()[place]),
        environment,
        key_id,
        request_id: columns.requests()[place] ?? null,
        trace_id: columns.traces()[place] ?? null,
        dry_run,
        proof_kid: columns.proofs()[place] ?? null,
        budgets: readBudgets(columns.budgets()[place], nameAt(columns.agents(), place)),
        evaluated_at: spellInstant(columns.times()[place] as number),
      };
    },
  };
}

const NO_REASONS: readonly Reason[] = Object.freeze([]);

function reasonsAt(columns: ColumnReaders, place: number): readonly Reason[] {
  const { numbers, shapes } = columns.reasons();
  const shape = shapes[numbers[place] as number] as ReasonShape;
  return shape.codes.length === 0 ? NO_REASONS : shape.build(columns.facts()[place] as readonly Fact[]);
}

function nameAt({ numbers, texts }: NameColumn, place: number): string {
  return texts[numbers[place] as number] as string;
}
