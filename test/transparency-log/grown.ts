/** Trees that grow in memory, with their tiles, as the store of a log holds them. */

import type { TileReader } from '../../src/transparency-log/proofs.ts';
import {
  appendLeaf,
  createTileGrowth,
  type Edge,
  EMPTY_EDGE,
  tilePath,
} from '../../src/transparency-log/tiles.ts';

export interface GrownTree {
  readonly edge: Edge;
  /** The bytes of each tile that the tree ever had, by its path. */
  readonly tiles: ReadonlyMap<string, Uint8Array>;
  readonly read: TileReader;
  append(leaves: readonly Uint8Array[]): void;
}

/** Makes a tree without leaves. */
export function grownTree(): GrownTree {
  const tiles = new Map<string, Uint8Array>();
  let edge = EMPTY_EDGE;
  return {
    get edge() {
      return edge;
    },
    tiles,
    read: (tile) => tiles.get(tilePath(tile)),
    append(leaves) {
      const growth = createTileGrowth(edge.size);
      for (const leaf of leaves) edge = appendLeaf(edge, leaf, growth.finished);
      for (const { hashes, ...tile } of growth.grown()) {
        const before = tile.width - hashes.length;
        const old = before === 0 ? undefined : tiles.get(tilePath({ ...tile, width: before }));
        tiles.set(tilePath(tile), new Uint8Array(Buffer.concat([old ?? new Uint8Array(), ...hashes])));
      }
    },
  };
}
