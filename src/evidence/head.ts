/** Reads and checks the head of a log. A head must be checked before leaves are added to it. */
import { fromPaddedBase64, toPaddedBase64 } from '../base/bytes/base64.ts';
import { toBase64Url } from '../base/bytes/base64url.ts';
import type { LogOn } from '../core/shared/log-state.ts';
import type { LogKey } from '../identity/log-signer.ts';
import type { RandomSource } from '../ports/storage.ts';
import { checkpointText, openCheckpoint, readCheckpointText } from '../transparency-log/checkpoint.ts';
import { HASH_BYTES, isSameHash } from '../transparency-log/hashes.ts';
import { type NoteKey, type NoteSigner, noteKey, signNote } from '../transparency-log/signed-note.ts';
import {
  appendLeaf,
  type Edge,
  EMPTY_EDGE,
  hashInTile,
  isEdge,
  rootOf,
  TILE_WIDTH,
} from '../transparency-log/tiles.ts';
import type { LogHeadRecord } from './collections.ts';

/** The number of the last block of a writer with a leaf, and how many permits of this block have a leaf. */
export type LogPosition = readonly [seq: number, permits: number];

const ID_BYTES = 16;

export function newLogId(random: RandomSource): string {
  return toBase64Url(random.bytes(ID_BYTES));
}

/** Returns the name of a log and of its keys: the public address without the scheme. */
export function originOf(publicUrl: string, log_id: string): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}/logs/${log_id}`;
}

export function edgeOf({ size, edge }: Pick<LogHeadRecord, 'size' | 'edge'>): Edge | undefined {
  const roots = edge.map(fromPaddedBase64).filter((root) => root?.length === HASH_BYTES) as Uint8Array[];
  const read = { size, roots };
  return roots.length === edge.length && isEdge(read) ? read : undefined;
}

export function noteKeysOf(origin: string, keys: readonly LogKey[]): Promise<readonly NoteKey[]> {
  return Promise.all(keys.map(({ publicKey }) => noteKey(origin, publicKey)));
}

export async function signHead(origin: string, edge: Edge, keys: readonly LogKey[]): Promise<string> {
  const names = await noteKeysOf(origin, keys);
  const signers = keys.flatMap(({ sign }, atMs): NoteSigner[] =>
    sign === undefined ? [] : [{ ...(names[atMs] as NoteKey), sign }],
  );
  return signNote(checkpointText({ origin, size: edge.size, root: rootOf(edge) }), signers);
}

export async function isSignedHead(head: LogHeadRecord, keys: readonly LogKey[]): Promise<boolean> {
  const edge = edgeOf(head);
  if (edge === undefined) return false;
  const checkpoint = await openCheckpoint(head.checkpoint, await noteKeysOf(head.origin, keys));
  if (typeof checkpoint === 'string' || checkpoint.origin !== head.origin) return false;
  return checkpoint.size === edge.size && isSameHash(checkpoint.root, rootOf(edge));
}

/** Returns `true` if the leaves in the last, partly filled tile match the head. */
export function isAtEdge({ size, roots }: Edge, tile: Uint8Array | undefined): boolean {
  const width = size % TILE_WIDTH;
  if (width === 0) return true;
  if (tile?.length !== width * HASH_BYTES) return false;
  let ownEdge = EMPTY_EDGE;
  for (let place = 0; place < width; place += 1) ownEdge = appendLeaf(ownEdge, hashInTile(tile, place));
  const last = roots.slice(roots.length - ownEdge.roots.length);
  return ownEdge.roots.every((root, index) => isSameHash(root, last[index] ?? new Uint8Array()));
}

export function rootIn({ checkpoint }: Pick<LogHeadRecord, 'checkpoint'>): string {
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
  return toPaddedBase64(readCheckpointText(text)?.root ?? new Uint8Array());
}

export function spellEdge({ roots }: Edge): readonly string[] {
  return roots.map(toPaddedBase64);
}

export function hasBegun(head: LogHeadRecord | undefined, { at }: LogOn): head is LogHeadRecord {
  return head?.begun_at === at;
}

export function positionIn(head: LogHeadRecord | undefined, log: LogOn, writer: string): LogPosition {
  const position = hasBegun(head, log) ? head.positions[writer] : undefined;
  return position ?? [log.from[writer] ?? 0, 0];
}
