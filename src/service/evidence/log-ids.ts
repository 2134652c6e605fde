/** The ids of the stored records of logs. */
import type { Tile } from '../../log-tree/tiles.ts';

const DIGITS = 16;

/** Returns the id of an entry; ids of one log sort by index. */
export function entryId(log_id: string, index: number): string {
  return `${log_id}:${String(index).padStart(DIGITS, '0')}`;
}

/** Returns the id of a tile. */
export function tileId(log_id: string, { level, index }: Pick<Tile, 'level' | 'index'>): string {
  return `${log_id}:${level}:${index}`;
}
