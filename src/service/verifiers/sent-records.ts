/** The records of a block that a local verifier sends: each is checked, and all are packed anew. */

import { turn } from '../../base/async/turns.ts';
import { idSpeller } from '../../base/bytes/counted-ids.ts';
import { MAX_ANCESTORS } from '../../base/values/field-limits.ts';
import { OLDEST_SENT_MS } from '../../base/values/sent-verdicts.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import {
  type BlockView,
  createBlockBuilder,
  type Drop,
  MAX_RECORDS,
  openBlock,
  type SealedBlock,
} from '../../blocks/index.ts';
import type { VerdictRecord } from '../../records.ts';
import { LAST_BUCKET } from '../journal/latency.ts';
import type { KeyCaller } from '../shared/callers.ts';
import { recordProblem } from './record-problems.ts';

/** The sender of a block, and the time of the store. */
export interface SentBy {
  readonly caller: Pick<KeyCaller, 'key_id' | 'environment'>;
  readonly now: number;
  /** The age from which records are removed. */
  readonly retentionDays: number;
  /** The writer, from which the ids of the records are made, and the number of the block. */
  readonly writer: string;
  readonly seq: number;
}

/** The block of the node, with what has to be asked of the storage before it is stored. */
export interface CheckedBlock {
  readonly sealed: SealedBlock;
  /** The highest version of each passport that the records name. */
  readonly versions: ReadonlyMap<string, number>;
  /** The number of the records and drops. */
  readonly counted: number;
}

/** The time by which a record may be ahead of the store. */
const AHEAD_MS = 5_000;
const MAX_DROPS = 1_000;
const MAX_DROP = 1_000_000_000;
/** The records that are checked in one turn of the event loop. */
const AT_ONCE = 512;

/** Returns the block anew, or a sentence that says why it is refused. Never rejects, whatever the bytes are. */
export async function repack(
  data: Uint8Array,
  erasable: Uint8Array | undefined,
  sent: SentBy,
): Promise<CheckedBlock | string> {
  try {
    const view = openBlock(data, erasable);
    return blockProblem(view, erasable) ?? dropsProblem(view.drops, sent) ?? (await packed(view, sent));
  } catch {
    return 'The block cannot be read.';
  }
}

function blockProblem(view: BlockView, erasable: Uint8Array | undefined): string | undefined {
  if (view.length > MAX_RECORDS) return 'The block has too many records.';
  if (!view.isCarried || !view.hasApprovals) return 'The block has other columns than this version.';
  if (view.outcomes.length > 0) return 'The block reports outcomes.';
  if (view.length === 0 && view.drops.length === 0) return 'The block is empty.';
  const hasSubjects = view.subjects.numbers.length > 0;
  if (view.subjects.isLost || hasSubjects !== (erasable !== undefined))
    return 'The subjects of the block are not beside it.';
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

async function packed(view: BlockView, sent: SentBy): Promise<CheckedBlock | string> {
  const { writer, seq, now, retentionDays } = sent;
  const builder = createBlockBuilder();
  const versions = new Map<string, number>();
  // INVARIANT: no id of a record is the sender's, so none names a spend or a record of another block.
  const spellId = idSpeller(`dec_${writer}`);
  let verifier: string | null | undefined;
  for (let place = 0; place < view.length; place += 1) {
    if (place > 0 && place % AT_ONCE === 0) await turn();
    const record = view.record(place);
    verifier ??= record.verifier;
    const bucket = view.latencies[place] as number;
    const problem =
      recordProblem(record, sent.caller) ??
      timeProblem(view.times[place] as number, now) ??
      ancestorsProblem(record) ??
      (record.verifier === verifier ? undefined : 'The records name two verifiers.') ??
      (bucket <= LAST_BUCKET ? undefined : 'A record has no such latency.');
    if (problem !== undefined) return problem;
    const { agent_id, passport_version } = record;
    if (passport_version !== null)
      versions.set(agent_id, Math.max(passport_version, versions.get(agent_id) ?? 0));
    const own = { ...record, decision_id: spellId(seq * MAX_RECORDS + place) };
    if (!builder.push(own, bucket)) return 'The records do not belong into one block.';
  }
  const horizon = now - retentionDays * RESOLUTION_MS.day;
  const drops = view.drops.map((drop) => ({ ...drop, at_ms: Math.max(drop.at_ms, horizon) }));
  const counted = drops.reduce((sum, { count }) => sum + count, view.length);
  return { sealed: builder.seal(drops), versions, counted };
}

function timeProblem(at: number, now: number): string | undefined {
  if (at > now + AHEAD_MS) return 'A record is ahead of the time.';
  return at < now - OLDEST_SENT_MS ? 'A record is older than 24 hours.' : undefined;
}

function ancestorsProblem({ ancestor_versions, passport_version }: VerdictRecord): string | undefined {
  if (ancestor_versions === null) return undefined;
  const isList = Array.isArray(ancestor_versions) && ancestor_versions.length <= MAX_ANCESTORS;
  if (isList && passport_version !== null && ancestor_versions.every(isVersion)) return undefined;
  return 'A record has no such versions of passports above.';
}

function isVersion(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
