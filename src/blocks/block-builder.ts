/** Builds blocks: a record becomes a number in each column, and nothing of it is kept. */
import { idCount, idPrefix } from '../base/counted-ids.ts';
import { flattenString, storableText } from '../base/flatten-string.ts';
import { amountText } from '../base/money.ts';
import { MAX_BLOCK_SPAN_MS } from '../ports/journal.ts';
import type { VerdictRecord } from '../records.ts';
import { amountNumber, TEXT_AMOUNT } from './amounts.ts';
import { type AskContext, contextText, isSameContext } from './context.ts';
import type { Drop } from './drops.ts';
import { encodeRows, type RowTexts, type SealedBlock } from './encode.ts';
import { createFacts } from './facts.ts';
import { createNames } from './names.ts';
import { createTemplates, type Fact } from './reasons.ts';
import { grownRows, newRows } from './rows.ts';

/** How many records a block holds at most, and about how many bytes of texts. */
export const MAX_RECORDS = 8_192;
const MAX_TEXT_BYTES = 1_000_000;
const MAX_REQUEST_ID = 64;

/** Builds one block after the other. */
export interface BlockBuilder {
  /** How many records it holds. */
  readonly length: number;
  /** Adds a record with the bucket of its latency; `false`, and nothing added, when it belongs into the next block. */
  push(record: VerdictRecord, bucket: number): boolean;
  /** The block of all that was added since the last, and of these drops. */
  seal(drops?: readonly Drop[]): SealedBlock;
}

/** A builder that holds nothing. The ids of records are those of one maker of counted ids a block. */
export function createBlockBuilder(): BlockBuilder {
  const agents = createNames();
  const actions = createNames();
  const targets = createNames();
  const contexts = createNames();
  const templates = createTemplates();
  const facts = createFacts();
  const scratch: Fact[] = [];
  let rows = newRows();
  let texts: RowTexts = { amounts: [], requests: [] };
  let textBytes = 0;
  let length = 0;
  let prefix = '';
  let first = 0;
  let last = 0;
  let instant = '';
  let instantMs = 0;
  let context: AskContext | undefined;
  let contextNumber = 0;

  function msOf(at: string): number {
    if (at !== instant) {
      instantMs = Date.parse(at);
      instant = at;
    }
    return instantMs;
  }

  function fits(record: VerdictRecord, at: number): boolean {
    if (length === 0) return true;
    const size = agents.size + actions.size + targets.size + facts.size + contexts.size + textBytes;
    const span = Math.max(last, at) - Math.min(first, at);
    return (
      length < MAX_RECORDS &&
      size < MAX_TEXT_BYTES &&
      span <= MAX_BLOCK_SPAN_MS &&
      record.decision_id.startsWith(prefix)
    );
  }

  function numberOfContext(record: VerdictRecord): number {
    if (context !== undefined && isSameContext(context, record)) return contextNumber;
    const { environment, dry_run, currency, key_id } = record;
    context = { environment, dry_run, currency, key_id };
    contextNumber = contexts.numberOf(contextText(context));
    return contextNumber;
  }

  function addReasons(record: VerdictRecord): void {
    scratch.length = 0;
    rows.reasons[length] = templates.numberOf(record.reasons, scratch);
    rows.factsFrom[length] = facts.length;
    facts.add(scratch, record.amount);
    rows.factsTo[length] = facts.length;
  }

  function addTexts({ amount, request_id }: VerdictRecord, number: number): void {
    if (number === TEXT_AMOUNT) texts.amounts[length] = flattenString(amountText(amount ?? ''));
    if (request_id === null) return;
    texts.requests[length] = storableText(request_id.slice(0, MAX_REQUEST_ID));
    textBytes += MAX_REQUEST_ID;
  }

  function clear(): void {
    for (const column of [agents, actions, targets, contexts, templates, facts]) column.clear();
    texts = { amounts: [], requests: [] };
    textBytes = 0;
    length = 0;
    context = undefined;
  }

  return {
    get length() {
      return length;
    },
    push(record, bucket) {
      const at = msOf(record.evaluated_at);
      if (!fits(record, at)) return false;
      if (length === 0) {
        prefix = idPrefix(record.decision_id);
        first = at;
        last = at;
      } else if (at < first) first = at;
      else if (at > last) last = at;
      const count = idCount(record.decision_id, prefix.length);
      if (count < 0) throw new RangeError('The decision id has no count.');
      if (length === rows.capacity) rows = grownRows(rows);
      rows.times[length] = at;
      rows.counts[length] = count;
      rows.buckets[length] = bucket;
      rows.agents[length] = agents.numberOf(record.agent_id);
      rows.actions[length] = actions.numberOf(record.action);
      rows.targets[length] = record.target === null ? 0 : 1 + targets.numberOf(record.target);
      rows.contexts[length] = numberOfContext(record);
      rows.versions[length] = record.passport_version === null ? 0 : record.passport_version + 1;
      const amount = amountNumber(record.amount);
      rows.amounts[length] = amount;
      if (amount === TEXT_AMOUNT || record.request_id !== null) addTexts(record, amount);
      if (record.reasons.length === 0) rows.reasons[length] = 0;
      else addReasons(record);
      length += 1;
      return true;
    },
    seal(drops = []) {
      const names = { agents, actions, targets, contexts };
      const block = encodeRows({ rows, length, prefix, names, templates, facts, texts, drops });
      clear();
      return block;
    },
  };
}
