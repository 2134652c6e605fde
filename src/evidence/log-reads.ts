/** Reads stored logs: heads and tiles, and proofs that only need tiles. */
import { fromPaddedBase64 } from '../base/bytes/base64.ts';
import type { Store } from '../core/storage/store.ts';
import { logProofText } from '../transparency-log/checkpoint.ts';
import { HASH_BYTES } from '../transparency-log/hashes.ts';
import { proofOf, tilesFor } from '../transparency-log/proofs.ts';
import { type Tile, tilePath, widthIn } from '../transparency-log/tiles.ts';
import type { LogHeadRecord } from './collections.ts';

export async function headOf(store: Pick<Store, 'get'>, log_id: string): Promise<LogHeadRecord | undefined> {
  const first = await store.get('log_heads', log_id);
  // The head that grows has the id of its account.
  if (first === undefined || first.id !== first.log_id) return undefined;
  if (first.ended_at !== null) return first;
  const head = await store.get('log_heads', first.account_id);
  return head?.log_id === log_id ? head : undefined;
}

export async function readTile(
  store: Pick<Store, 'get'>,
  { log_id, size }: Pick<LogHeadRecord, 'log_id' | 'size'>,
  tile: Tile,
): Promise<Uint8Array | undefined> {
  if (tile.width < 1 || tile.width > widthIn(size, tile)) return undefined;
  const record = await store.get('log_tiles', tileId(log_id, tile));
  const bytes = record && fromPaddedBase64(record.hashes);
  const length = tile.width * HASH_BYTES;
  return bytes !== undefined && bytes.length >= length ? bytes.subarray(0, length) : undefined;
}

/** Returns the text of the proof that a leaf is in the log. Throws a RangeError if a tile is missing. */
export async function proofText(
  store: Pick<Store, 'get'>,
  head: LogHeadRecord,
  index: number,
): Promise<string> {
  const claim = { leaf: index };
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesFor(claim, head.size)) {
    const bytes = await readTile(store, head, tile);
    if (bytes !== undefined) tiles.set(tilePath(tile), bytes);
  }
  const hashes = proofOf(claim, head.size, (tile) => tiles.get(tilePath(tile)));
  return logProofText({ index, hashes, checkpoint: head.checkpoint });
}

const DIGITS = 16;

export function entryId(log_id: string, index: number): string {
  return `${log_id}:${String(index).padStart(DIGITS, '0')}`;
}

export function tileId(log_id: string, { level, index }: Pick<Tile, 'level' | 'index'>): string {
  return `${log_id}:${level}:${index}`;
}
