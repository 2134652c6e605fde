/** A log with entries of every kind, its blocks, and what others have kept of it. */
import { createHash } from 'node:crypto';
import { openBlock, packRecords } from '../../src/journal-format/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { type BlockContent, type EntryContent, loggedRecord } from '../../src/transparency-log/entries.ts';
import { tilePath } from '../../src/transparency-log/tiles.ts';
import { type LogAudit, type VerifyLogOptions, verifyLog } from '../../src/transparency-log/verify-log.ts';
import { recordOf } from '../journal-format/records.ts';
import { createMemoryLog, type LogFiles, type LogKey, type MemoryLog } from './memory-log.ts';

const AT = '2026-11-20T12:00:00.000Z';
/** The decisions with a permit. */
const PERMITTED: ReadonlySet<string> = new Set([4, 14].map((count) => recordOf(count).decision_id));

export const begin: EntryContent = { kind: 'begin', at: AT };

export function change(number: number): EntryContent {
  const event = { id: `evt_${number}`, type: 'key.created', timestamp: AT, data: { number } };
  return { kind: 'change', event };
}

/** The block of ten records from a count on, its entry, and the entries of its permits. */
export function blockFrom(count: number, seq: number): { data: Uint8Array; contents: EntryContent[] } {
  const at = new Date(Date.parse(AT) + (seq - 1) * 1_000).toISOString();
  const records = Array.from({ length: 10 }, (_, number) => ({
    ...recordOf(count + number),
    evaluated_at: at,
  }));
  const [block] = packRecords(records.map((record) => ({ record, bucket: 1 })));
  const data = block?.data ?? new Uint8Array();
  const permitted = records.filter(({ decision_id }) => PERMITTED.has(decision_id)).map(withPermit);
  const entry: BlockContent = {
    ...{ kind: 'verdicts', block: `writer.${seq}`, digest: digestOf(data), records: 10, denied: 0 },
    ...{ permits: permitted.length, from: at, to: at, drops: 0 },
  };
  const leaves = permitted.map((record): EntryContent => ({ kind: 'verdict', record: loggedRecord(record) }));
  return { data, contents: [entry, ...leaves] };
}

export function digestOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Says in the record what its column says, once blocks have it. */
function withPermit(record: VerdictRecord): VerdictRecord {
  return {
    ...record,
    permit_audience: PERMITTED.has(record.decision_id) ? 'https://pay.example' : null,
  } as VerdictRecord;
}

/** Opens a block as the service does. */
function openPermitted(data: Uint8Array): ReturnType<NonNullable<VerifyLogOptions['openBlock']>> {
  const view = openBlock(data);
  return {
    length: view.length,
    drops: view.drops,
    record: (place: number) => withPermit(view.record(place)),
  };
}

export interface History {
  readonly log: MemoryLog;
  readonly blocks: Map<string, Uint8Array>;
  /** The checkpoints at 100 leaves and at the end. */
  readonly kept: readonly string[];
}

/** The contents of the log, in their order. */
export function contentsOf(blocks: Map<string, Uint8Array>): EntryContent[] {
  const [one, two] = [blockFrom(0, 1), blockFrom(10, 2)];
  for (const { data } of [one, two]) blocks.set(digestOf(data), data);
  const changes = Array.from({ length: 300 }, (_, number) => change(number));
  return [begin, ...changes.slice(0, 150), ...one.contents, ...changes.slice(150), ...two.contents];
}

/** Makes a log of these contents; by default of those that are good. */
export async function historyOf(
  keys: readonly LogKey[],
  changed?: readonly EntryContent[],
): Promise<History> {
  const blocks = new Map<string, Uint8Array>();
  const contents = changed ?? contentsOf(blocks);
  const log = createMemoryLog(keys);
  log.append(...contents.slice(0, 100));
  const early = await log.checkpoint();
  log.append(...contents.slice(100));
  return { log, blocks, kept: [early, await log.checkpoint()] };
}

/** Audits a folder. */
export function auditFiles(files: LogFiles, options: VerifyLogOptions): Promise<LogAudit> {
  const text = (path: string) => new TextDecoder().decode(files.get(path));
  return verifyLog(
    {
      checkpoint: text('checkpoint'),
      tile: async (tile) => files.get(tilePath(tile)),
      async *entries() {
        for (const line of text('entries.jsonl').split('\n').slice(0, -1))
          yield line === 'null' ? null : line;
      },
      block: async (digest) => files.get(`blocks/${digest}`),
    },
    { openBlock: openPermitted, ...options },
  );
}
