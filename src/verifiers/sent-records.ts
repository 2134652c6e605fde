/** Checks each record of a block that a local verifier sends, and packs all records again. */

import { turn } from '../base/async/turns.ts';
import { idCount } from '../base/bytes/counted-ids.ts';
import { MAX_ACTION, MAX_APPROVAL_ID, MAX_ID } from '../base/values/field-limits.ts';
import { MAX_HOLD_SECONDS } from '../base/values/hold-time.ts';
import { currencyCode, readAmount } from '../base/values/money.ts';
import { isSubject } from '../base/values/subject.ts';
import { isVerifierName, OLDEST_SENT_MS, RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { isTraceId } from '../base/values/trace-id.ts';
import { usageFaults } from '../base/values/usage.ts';
import { LAST_BUCKET } from '../core/journal/latency.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import {
  type BlockView,
  blockProblem,
  createBlockBuilder,
  type Drop,
  isBlockError,
  openBlock,
  type SealedBlock,
} from '../journal-format/index.ts';
import type { VerdictRecord } from '../records.ts';
import { AGENT_NOT_FOUND } from '../verdict/rules.ts';
import { reasonsProblem, withOwnMessages } from './reason-problems.ts';

export interface SentBy {
  readonly caller: Pick<KeyCaller, 'key_id' | 'environment'>;
  readonly now: number;
  readonly retentionDays: number;
  /**
   * The writer, with which the record ids begin. `seq` is the number of the block: the counter in the last id of the
   * block.
   */
  readonly writer: string;
  readonly seq: number;
}

export interface CheckedBlock {
  readonly sealed: SealedBlock;
  readonly versions: ReadonlyMap<string, number>;
  /** The lowest counter in the record ids. For a block without records, the number of the block. */
  readonly first: number;
  readonly counted: number;
}

/** The milliseconds by which a record may be ahead of the storage. */
const AHEAD_MS = 5_000;
const MAX_DROPS = 1_000;
const MAX_DROP = 1_000_000_000;
/** The number of records and reasons that are checked in one turn of the event loop. */
const AT_ONCE = 512;

/** The number of bytes of a block that are read in one turn of the event loop. */
const AT_ONCE_BYTES = 65_536;

/** Returns the newly packed block, or a sentence that says why it is refused. Never rejects, even for invalid bytes. */
export async function repack(
  data: Uint8Array,
  erasable: Uint8Array | undefined,
  sender: SentBy,
): Promise<CheckedBlock | string> {
  try {
    const view = openBlock(data, erasable);
    for (const _ of view.pieces()) if (data.length > AT_ONCE_BYTES) await turn();
    const problem = viewProblem(view, erasable) ?? dropsProblem(view.drops, sender);
    return problem ?? (await packed(view, sender));
  } catch (error) {
    return isBlockError(error)
      ? `The block cannot be read. ${blockProblem(error)}`
      : 'The block cannot be read.';
  }
}

function viewProblem(view: BlockView, erasable: Uint8Array | undefined): string | undefined {
  if (!view.isCarried || !view.hasApprovals) return 'The block has other columns than this version.';
  if (view.outcomes.length > 0) return 'The block reports outcomes.';
  if (view.length === 0 && view.drops.length === 0) return 'The block is empty.';
  const hasSubjects = view.subjects.numbers.length > 0;
  if (view.subjects.isLost || hasSubjects !== (erasable !== undefined))
    return 'The subjects of the block are missing.';
  return undefined;
}

function dropsProblem(drops: readonly Drop[], { caller, now }: SentBy): string | undefined {
  if (drops.length > MAX_DROPS) return 'The block has too many drops.';
  for (const { at_ms, environment, count } of drops) {
    if (environment !== caller.environment) return 'A drop is of another environment.';
    if (count < 1 || count > MAX_DROP) return 'A drop has no such count.';
    if (at_ms > now + AHEAD_MS) return 'A drop is ahead of the time.';
  }
  return undefined;
}

function latencyProblem(bucket: number): string | undefined {
  return bucket <= LAST_BUCKET ? undefined : 'has no such latency';
}

/** Checks the rows in pieces, and packs them. The service sets the ids and the messages of reasons. */
async function packed(view: BlockView, sender: SentBy): Promise<CheckedBlock | string> {
  const { writer, seq, now, retentionDays } = sender;
  const builder = createBlockBuilder();
  const versions = new Map<string, number>();
  const ids = createSentIds(writer, seq);
  let verifier: string | null | undefined;
  let work = 0;
  for (let place = 0; place < view.length; place += 1) {
    const record = view.record(place);
    verifier ??= record.verifier;
    const bucket = view.latencies[place] as number;
    const problem =
      recordProblem(record, sender.caller) ??
      timeProblem(view.times[place] as number, now) ??
      ids.problem(record.decision_id) ??
      (record.verifier === verifier ? undefined : 'names a second verifier') ??
      latencyProblem(bucket);
    if (problem !== undefined) return `The record of row ${place} ${problem}.`;
    const { agent_id, passport_version, reasons } = record;
    if (passport_version !== null)
      versions.set(agent_id, Math.max(passport_version, versions.get(agent_id) ?? 0));
    if (!builder.push({ ...record, reasons: withOwnMessages(reasons) }, bucket))
      return 'The records do not belong into one block.';
    work += 1 + reasons.length;
    if (work < AT_ONCE) continue;
    work = 0;
    await turn();
  }
  if (ids.last !== seq && view.length > 0)
    return 'The number of the block differs from the number of its last record.';
  const drops = joinedDrops(view.drops, { now, retentionDays });
  const countedCount = drops.reduce((sum, { count }) => sum + count, view.length);
  return { sealed: builder.seal(drops), versions, counted: countedCount, first: ids.first };
}

/**
 * Joins the counts of dropped records into one count for each period: an hour in the last day, or a day before the last
 * day. The joined count gets the last minute of its period, or the current time. A merge into the rollups runs several
 * statements of the database for each minute, so fewer minutes make the merge faster.
 */
function joinedDrops(drops: readonly Drop[], { now, retentionDays }: Pick<SentBy, 'now' | 'retentionDays'>) {
  const allDrops = new Map<number, Drop>();
  for (const drop of drops) {
    const atMs = Math.max(drop.at_ms, now - retentionDays * RESOLUTION_MS.day);
    const length = RESOLUTION_MS[atMs < now - OLDEST_SENT_MS ? 'day' : 'hour'];
    const end = (Math.floor(atMs / length) + 1) * length - RESOLUTION_MS.minute;
    const at_ms = Math.max(atMs, Math.min(end, now));
    allDrops.set(end, {
      ...drop,
      at_ms,
      count: drop.count + (allDrops.get(end)?.count ?? 0),
    });
  }
  return [...allDrops.values()];
}

/**
 * Creates the check of the decision ids of a block. The writer must have made each id. Each id occurs only once, and no
 * id is above the number of the block.
 */
function createSentIds(writer: string, seq: number) {
  const prefix = `dec_${writer}`;
  const counts = new Set<number>();
  let first = seq;
  let last = 0;
  return {
    get first() {
      return first;
    },
    get last() {
      return last;
    },
    problem(id: string): string | undefined {
      const count = id.startsWith(prefix) ? idCount(id, prefix.length) : -1;
      if (count < 1 || count > seq || counts.has(count)) return 'has an id that its writer does not give it';
      counts.add(count);
      first = Math.min(first, count);
      last = Math.max(last, count);
      return undefined;
    },
  };
}

function timeProblem(atMs: number, now: number): string | undefined {
  if (atMs > now + AHEAD_MS) return 'is ahead of the time';
  return atMs < now - OLDEST_SENT_MS ? 'is older than 24 hours' : undefined;
}

function recordProblem(
  record: VerdictRecord,
  { key_id, environment }: Pick<KeyCaller, 'key_id' | 'environment'>,
): string | undefined {
  if (record.key_id !== key_id) return 'names another key';
  if (record.environment !== environment) return 'names another environment';
  if (record.verifier === null || !isVerifierName(record.verifier)) return 'names no verifier';
  return (
    takesProblem(record) ?? reasonsProblem(record.reasons) ?? versionProblem(record) ?? fieldProblem(record)
  );
}

function takesProblem(record: VerdictRecord): string | undefined {
  if (record.budgets.length > 0) return 'takes from a budget';
  if (record.proof_kid !== null) return 'has a proof';
  const isNamed = record.approval_id !== null || record.hold_seconds !== null;
  return isNamed && record.verdict === 'ALLOW' ? 'takes an approval or a hold' : undefined;
}

function versionProblem({ reasons, passport_version, ancestor_versions }: VerdictRecord): string | undefined {
  const isNotFound = reasons.some(({ code }) => code === AGENT_NOT_FOUND.code);
  if (isNotFound !== (passport_version === null) || (isNotFound && reasons.length > 1))
    return 'has a version of a passport that was not found, or none';
  if (passport_version === 0) return 'has no such version of a passport';
  const isAlone = passport_version === null && ancestor_versions !== null;
  return isAlone ? 'has versions of passports above one that was not found' : undefined;
}

function fieldProblem(record: VerdictRecord): string | undefined {
  const { target, amount, currency, subject, trace_id, approval_id, hold_seconds, usage } = record;
  const isRight =
    isText(record.agent_id, MAX_ID) &&
    isText(record.action, MAX_ACTION) &&
    (target === null || target.length <= MAX_ID) &&
    (amount === null || readAmount(amount) !== null) &&
    (currency === null || currencyCode(currency) === currency) &&
    record.request_id === null &&
    (trace_id === null || isTraceId(trace_id)) &&
    record.subject_erased === undefined &&
    record.permit_audience === null &&
    (usage === undefined || (Object.keys(usage).length > 0 && usageFaults(usage).length === 0)) &&
    (subject === null || isSubject(subject)) &&
    (approval_id === null || isText(approval_id, MAX_APPROVAL_ID)) &&
    (hold_seconds === null || hold_seconds <= MAX_HOLD_SECONDS);
  return isRight ? undefined : 'has a field that no intent has';
}

function isText(text: string, limit: number): boolean {
  return text.length > 0 && text.length <= limit;
}
