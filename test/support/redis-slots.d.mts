import type { ClusterServer } from './redis-cluster.mjs';

export interface SlotMove {
  readonly servers: readonly ClusterServer[];
  readonly slot: number;
  readonly from: ClusterServer;
  readonly to: ClusterServer;
  /** The pause after each 100 keys. Default: none. */
  readonly pauseMs?: number;
  /** `true`: rests for a second after each second. Default: `false`. */
  readonly isResting?: boolean;
}

/** Moves a slot from one primary to another, key by key, and settles when all servers know. */
export declare function moveSlot(move: SlotMove): Promise<void>;
