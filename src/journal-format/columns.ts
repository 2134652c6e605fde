/**
 * The columns of a block that is being built. Each record becomes one number in each column, and is not kept in any
 * other form.
 */
import { flattenString, storableText } from '../base/bytes/flatten-string.ts';
import { amountText } from '../base/values/money.ts';
import { usageText } from '../base/values/usage.ts';
import type { VerdictRecord } from '../records.ts';
import { amountNumber, TEXT_AMOUNT } from './amounts.ts';
import { ancestorsText } from './ancestors.ts';
import { budgetsText } from './budgets.ts';
import { type AskContext, contextText, isSameContext } from './context.ts';
import { createFacts, type FactColumn } from './facts.ts';
import { filterHashes } from './filter.ts';
import { createNames, createRowNames, type Names, type RowNames } from './names.ts';
import { createTemplates, type Fact, type Templates } from './reasons.ts';
import { createRowTraces, type RowTraces } from './row-traces.ts';
import { grownRows, newRows, type Rows } from './rows.ts';
import { ERASED } from './subjects.ts';

const MAX_REQUEST_ID = 64;

/** Texts by row. Most rows have none. */
export interface RowTexts {
  readonly amounts: string[];
  readonly requests: string[];
  readonly budgets: string[];
  readonly usages: string[];
}

/** The columns of a block. */
export interface Columns {
  readonly rows: Rows;
  readonly names: Readonly<Record<'agents' | 'actions' | 'targets' | 'contexts', Names>>;
  readonly templates: Templates;
  readonly facts: FactColumn;
  readonly texts: RowTexts;
  readonly optional: OptionalColumns;
}

/** Columns that grow as records are added. */
export interface GrowingColumns {
  /** Returns the columns with all records so far. */
  columns(): Columns;
  /** Returns an estimate of the bytes that the texts will need. */
  size(): number;
  /** Fills a row with a record, its time, the counter in its id and the bucket of its latency. The first row is 0. */
  add(row: number, record: VerdictRecord, atMs: number, count: number, bucket: number): void;
  clear(): void;
}

function addTexts(texts: RowTexts, row: number, record: VerdictRecord, number: number): number {
  const { amount, request_id } = record;
  let size = 0;
  if (number === TEXT_AMOUNT) texts.amounts[row] = flattenString(amountText(amount ?? ''));
  if (record.budgets.length > 0) {
    const text = storableText(budgetsText(record));
    texts.budgets[row] = text;
    size += text.length;
  }
  if (record.usage !== undefined) {
    const text = flattenString(usageText(record.usage));
    texts.usages[row] = text;
    size += text.length;
  }
  if (request_id === null) return size;
  texts.requests[row] = storableText(request_id.slice(0, MAX_REQUEST_ID));
  return size + MAX_REQUEST_ID;
}

function noTexts(): RowTexts {
  return { amounts: [], requests: [], budgets: [], usages: [] };
}

/** Creates columns without rows. `clear` keeps their memory for the next block. */
export function createColumns(): GrowingColumns {
  const agents = createNames((name) => filterHashes('agent', name));
  const actions = createNames();
  const targets = createNames();
  const contexts = createNames();
  const names = { agents, actions, targets, contexts };
  const templates = createTemplates();
  const facts = createFacts();
  const factsOfOne: Fact[] = [];
  let rows = newRows();
  let texts: RowTexts = noTexts();
  const optional = createOptionalColumns();
  let textBytes = 0;
  let context: AskContext | undefined;
  let contextNumber = 0;

  function numberOfContext(record: VerdictRecord): number {
    if (context !== undefined && isSameContext(context, record)) return contextNumber;
    const { environment, dry_run, currency, key_id } = record;
    context = { environment, dry_run, currency, key_id };
    contextNumber = contexts.numberOf(contextText(context));
    return contextNumber;
  }

  function addReasons(row: number, record: VerdictRecord): void {
    if (factsOfOne.length > 0) factsOfOne.length = 0;
    rows.reasons[row] = templates.numberOf(record.reasons, factsOfOne);
    rows.factsFrom[row] = facts.length();
    facts.add(factsOfOne, record.amount);
    rows.factsTo[row] = facts.length();
  }

  return {
    columns: () => ({ rows, names, templates, facts, texts, optional: optional.columns() }),
    size() {
      const namedCount = agents.size() + actions.size() + targets.size() + contexts.size();
      return namedCount + optional.size() + facts.size() + textBytes;
    },
    add(row, record, atMs, count, bucket) {
      if (row === rows.capacity) rows = grownRows(rows);
      rows.times[row] = atMs;
      rows.counts[row] = count;
      rows.buckets[row] = bucket;
      rows.agents[row] = agents.numberOf(record.agent_id, record.passport_version !== null);
      rows.actions[row] = actions.numberOf(record.action);
      rows.targets[row] = record.target === null ? 0 : 1 + targets.numberOf(record.target);
      rows.contexts[row] = numberOfContext(record);
      rows.versions[row] = record.passport_version === null ? 0 : record.passport_version + 1;
      const amount = amountNumber(record.amount);
      rows.amounts[row] = amount;
      if (amount === TEXT_AMOUNT || record.request_id !== null || record.budgets.length > 0 || record.usage)
        textBytes += addTexts(texts, row, record, amount);
      optional.add(row, record);
      if (record.reasons.length === 0) rows.reasons[row] = 0;
      else addReasons(row, record);
    },
    clear() {
      for (const column of [agents, actions, targets, contexts, optional, templates, facts]) column.clear();
      texts = noTexts();
      textBytes = 0;
      context = undefined;
    },
  };
}

interface OptionalColumns {
  /** The ids of the agent keys that signed the proofs of possession, by row. */
  readonly proofs: RowNames;
  /** The versions of the ancestors' passports, as texts of `ancestorsText`. */
  readonly ancestors: RowNames;
  readonly traces: RowTraces;
  /** The subjects. `ERASED` replaces an erased subject. */
  readonly subjects: RowNames;
  readonly approvals: RowNames;
  readonly permits: RowNames;
  readonly verifiers: RowNames;
  /** The seconds of holds, by row. */
  readonly holds: readonly number[];
}

interface GrowingOptionalColumns {
  columns(): OptionalColumns;
  size(): number;
  add(row: number, record: VerdictRecord): void;
  clear(): void;
}

function createOptionalColumns(): GrowingOptionalColumns {
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
    columns: () => ({ proofs, ancestors, traces, subjects, approvals, permits, verifiers, holds }),
    size: () => columns.reduce((sum, column) => sum + column.size(), holds.length),
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
