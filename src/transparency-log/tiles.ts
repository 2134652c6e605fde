/**
 * Stores the hashes of a tree in tiles (c2sp.org/tlog-tiles). A tile has up to 256 neighbouring hashes of one level;
 * the next tiles are eight levels higher.
 */
import { emptyRoot, HASH_BYTES, nodeHash } from './hashes.ts';
import type { Subtree } from './ranges.ts';

/** The number of tree levels between two levels of tiles. */
export const TILE_HEIGHT = 8;
export const TILE_WIDTH: number = 2 ** TILE_HEIGHT;
const MAX_LEVEL = 63;

/** A tile, by its position and its number of hashes. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** The number of hashes in the tile: 1 to `TILE_WIDTH`. */
  readonly width: number;
}

/** Returns the path of a tile below the address of its log, such as `tile/0/x001/234.p/5`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const parts = digits.padStart(3 * Math.ceil(digits.length / 3), '0').match(/\d{3}/g) ?? [];
  const last = parts.length - 1;
  const position = parts.map((part, index) => (index < last ? `x${part}` : part)).join('/');
  return `tile/${level}/${position}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const PATH = /^tile\/(0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Reads the path of a tile. Returns `undefined` if it is not exactly as {@link tilePath} writes it. */
export function readTilePath(path: string): Tile | undefined {
  const [, level = '', position = '', width] = PATH.exec(path) ?? [];
  const index = Number(position.replaceAll(/[x/]/g, ''));
  if (!Number.isSafeInteger(index) || Number(level) > MAX_LEVEL) return undefined;
  const tile = { level: Number(level), index, width: width === undefined ? TILE_WIDTH : Number(width) };
  if (tile.width > TILE_WIDTH) return undefined;
  return tilePath(tile) === path ? tile : undefined;
}

/** Returns the number of hashes that a tile has in a tree of this size. Returns 0 if the tile is not in the tree. */
export function widthIn(size: number, { level, index }: Omit<Tile, 'width'>): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** Yields the tiles of a tree of this size, one level after another. */
export function* tilesOf(size: number): Generator<Tile> {
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / TILE_WIDTH)) {
    for (let index = 0; index * TILE_WIDTH < count; index += 1) {
      yield { level, index, width: widthIn(size, { level, index }) };
    }
  }
}

/** Returns the tile that contains the hashes of a subtree in a tree of this size, and their position in it. */
export function tileOfSubtree(
  { height, index }: Subtree,
  size: number,
): { readonly tile: Tile; readonly from: number; readonly count: number } {
  const level = Math.floor(height / TILE_HEIGHT);
  const count = 2 ** (height - level * TILE_HEIGHT);
  const first = index * count;
  const position = { level, index: Math.floor(first / TILE_WIDTH) };
  return { tile: { ...position, width: widthIn(size, position) }, from: first % TILE_WIDTH, count };
}

/** A tile with its appended hashes. */
export interface GrownTile extends Tile {
  readonly hashes: readonly Uint8Array[];
}

export function createTileGrowth(size: number): {
  readonly finished: Finished;
  readonly grown: () => readonly GrownTile[];
} {
  const addedBytes: Uint8Array[][] = [];
  return {
    finished(height, root) {
      if (height % TILE_HEIGHT !== 0) return;
      const level = height / TILE_HEIGHT;
      const hashes = addedBytes[level] ?? [];
      addedBytes[level] = hashes;
      hashes.push(root);
    },
    grown: () => addedBytes.flatMap((hashes, level) => splitTiles(size, level, hashes)),
  };
}

function splitTiles(size: number, level: number, hashes: readonly Uint8Array[]): readonly GrownTile[] {
  const tiles: GrownTile[] = [];
  const tilesBefore = Math.floor(size / TILE_WIDTH ** level);
  for (let position = 0; position < hashes.length; ) {
    const index = Math.floor((tilesBefore + position) / TILE_WIDTH);
    const start = (tilesBefore + position) % TILE_WIDTH;
    const part = hashes.slice(position, position + TILE_WIDTH - start);
    tiles.push({ level, index, width: start + part.length, hashes: part });
    position += part.length;
  }
  return tiles;
}

/** Returns a hash of a tile, as a view of its bytes. */
export function hashInTile(bytes: Uint8Array, index: number): Uint8Array {
  return bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
}

/** The right edge of a tree. */
export interface Edge {
  readonly size: number;
  /**
   * The root hashes of the complete subtrees that make up the tree, from left to right: one for each bit of `size` that
   * is 1.
   */
  readonly roots: readonly Uint8Array[];
}

export type Finished = (height: number, root: Uint8Array) => void;

/** The edge of a tree without leaves. */
export const EMPTY_EDGE: Edge = { size: 0, roots: [] };

/** Adds one leaf, and returns the new edge. Calls `onFinished` for the leaf and for each subtree that it completes. */
export function appendLeaf({ size, roots }: Edge, leaf: Uint8Array, onFinished: Finished = () => {}): Edge {
  const keptBytes = [...roots];
  let root = leaf;
  let height = 0;
  onFinished(height, root);
  for (let remainder = size; remainder % 2 === 1; remainder = (remainder - 1) / 2) {
    root = nodeHash(keptBytes.pop() as Uint8Array, root);
    height += 1;
    onFinished(height, root);
  }
  return { size: size + 1, roots: [...keptBytes, root] };
}

export function rootOf({ roots }: Pick<Edge, 'roots'>): Uint8Array {
  return roots.length === 0
    ? emptyRoot()
    : roots.reduceRight((right, leftBytes) => nodeHash(leftBytes, right));
}

/** Returns `true` if the number of root hashes is right for a tree of this size. */
export function isEdge({ size, roots }: Edge): boolean {
  let bits = 0;
  for (let remainder = size; remainder > 0; remainder = Math.floor(remainder / 2)) bits += remainder % 2;
  return Number.isSafeInteger(size) && size >= 0 && roots.length === bits;
}
