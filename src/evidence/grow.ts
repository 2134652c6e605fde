/** Adds leaves to the tree of a log. Returns the new head, and the steps that store its entries and tiles. */
import { fromPaddedBase64, toPaddedBase64 } from '../base/bytes/base64.ts';
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { type Context, nowAfter } from '../core/shared/context.ts';
import type { LogOn } from '../core/shared/log-state.ts';
import { insert, replace } from '../core/storage/store.ts';
import type { LogSigner } from '../identity/log-signer.ts';
import type { Change } from '../ports/storage.ts';
import { type EntryContent, entryText } from '../transparency-log/entries.ts';
import { HASH_BYTES, leafHash } from '../transparency-log/hashes.ts';
import {
  appendLeaf,
  createTileGrowth,
  type Edge,
  EMPTY_EDGE,
  type GrownTile,
} from '../transparency-log/tiles.ts';
import type { LogEntryRecord, LogHeadRecord, LogTileRecord } from './collections.ts';
import { edgeOf, hasBegun, type LogPosition, newLogId, originOf, signHead, spellEdge } from './head.ts';
import { entryId, tileId } from './log-reads.ts';

export interface Leaf {
  readonly content: EntryContent;
  /** The block, the verdict or the event of the leaf. */
  readonly subject: string;
  /** The position of the writer after this leaf. */
  readonly position?: readonly [writer: string, position: LogPosition];
  readonly changes?: readonly Change[];
}

export interface Grown {
  readonly next: LogHeadRecord;
  readonly changes: readonly Change[];
}

/** Adds as many leaves to a head as fit into one write. Returns `undefined` if a tile does not match the head. */
export type Grow = (head: LogHeadRecord, log: LogOn, leaves: readonly Leaf[]) => Promise<Grown | undefined>;

/** The maximum number of leaves in one write, and the approximate maximum length of their entries. */
export const MAX_LEAVES = 64;
const MAX_CHARACTERS = 512 * 1024;

/** Returns the head of a log without leaves. The head is stored only after leaves were added. */
export function newHead(
  { random, clock }: Pick<Context, 'random' | 'clock'>,
  {
    account_id,
    publicUrl,
    on,
  }: { readonly account_id: string; readonly publicUrl: string; readonly on: LogOn },
): LogHeadRecord {
  const log_id = newLogId(random);
  const created_at = formatInstant(clock.now());
  return {
    id: account_id,
    account_id,
    version: 0,
    created_at,
    log_id,
    origin: originOf(publicUrl, log_id),
    size: 0,
    edge: [],
    checkpoint: '',
    positions: {},
    begun_at: on.at,
    appended_at: created_at,
    ended_at: null,
  };
}

/** Returns a copy of the positions of this log, or none if the head is from an earlier log. */
function positionsSince(head: LogHeadRecord, log: LogOn): Record<string, LogHeadRecord['positions'][string]> {
  return hasBegun(head, log) ? { ...head.positions } : {};
}

export function createGrowth(
  context: Pick<Context, 'store' | 'clock' | 'random' | 'retentionDays'>,
  keys: LogSigner,
): Grow {
  const { store, random, retentionDays } = context;

  return async (head, log, leaves) => {
    const instant = nowAfter(context, head.appended_at);
    const growth = createTileGrowth(head.size);
    const changes: Change[] = [];
    const positions = positionsSince(head, log);
    let edge: Edge = edgeOf(head) ?? EMPTY_EDGE;
    let characters = 0;
    for (const { content, subject, position, changes: leafChanges = [] } of leaves) {
      if (edge.size - head.size >= MAX_LEAVES || characters > MAX_CHARACTERS) break;
      const entry = entryText(content, head.account_id, random);
      characters += entry.length;
      const record = toEntry(head, edge.size, { subject, entry, at: instant });
      changes.push(insert('log_entries', record), ...leafChanges);
      if (position !== undefined) positions[position[0]] = position[1];
      edge = appendLeaf(edge, leafHash(new TextEncoder().encode(entry)), growth.finished);
    }
    for (const tile of growth.grown()) {
      const step = await tileStep(head, tile, instant);
      if (step === undefined) return undefined;
      changes.push(step);
    }
    const next: LogHeadRecord = {
      ...head,
      version: head.version + 1,
      size: edge.size,
      edge: spellEdge(edge),
      positions,
      begun_at: log.at,
      appended_at: instant,
      checkpoint: await signHead(head.origin, edge, await keys()),
    };
    return { next, changes };
  };

  function toEntry(
    { log_id, account_id }: LogHeadRecord,
    leaf_index: number,
    { subject, entry, at }: { readonly subject: string; readonly entry: string; readonly at: string },
  ): LogEntryRecord {
    const expires_at = formatInstant(Date.parse(at) + retentionDays * RESOLUTION_MS.day);
    const common = { id: entryId(log_id, leaf_index), account_id, version: 1, created_at: at, log_id };
    return { ...common, leaf_index, subject, entry, expires_at };
  }

  async function tileStep(
    { log_id, account_id }: LogHeadRecord,
    tile: GrownTile,
    created_at: string,
  ): Promise<Change | undefined> {
    const id = tileId(log_id, tile);
    const keptCount = tile.width - tile.hashes.length;
    if (keptCount === 0) {
      const hashes = spelled(new Uint8Array(), tile.hashes);
      return insert('log_tiles', { id, account_id, version: 1, created_at, log_id, hashes });
    }
    const base = await store.get('log_tiles', id);
    const bytes = base && fromPaddedBase64(base.hashes);
    if (base === undefined || bytes?.length !== keptCount * HASH_BYTES) return undefined;
    const next: LogTileRecord = { ...base, version: base.version + 1, hashes: spelled(bytes, tile.hashes) };
    return replace('log_tiles', next, base.version);
  }
}

function spelled(bytes: Uint8Array, hashes: readonly Uint8Array[]): string {
  const allBytes = new Uint8Array(bytes.length + hashes.length * HASH_BYTES);
  allBytes.set(bytes);
  for (const [index, hash] of hashes.entries()) allBytes.set(hash, bytes.length + index * HASH_BYTES);
  return toPaddedBase64(allBytes);
}
