/** The stored records of erasures. */

import type { Collection } from '../../ports/collection.ts';
import type { RecordBase } from '../../ports/stored.ts';
import type { Instant } from '../../records.ts';

/** A running erasure of an account or of one agent. The record is removed when the erasure is complete. */
export type ErasureRecord = RecordBase & {
  /** The agent; `null` for the whole account. */
  readonly agent_id: string | null;
  /** The instant at which the first pass was complete. Calls that ran at that time may have stored more data. */
  readonly swept_at: Instant | null;
  /** The instant until which the lease of a node is valid. Only this node works on the erasure. */
  readonly leased_until: Instant;
};

/** The collection of running erasures. */
export const erasureCollection: Collection<ErasureRecord> = {
  fields: {
    agent_id: 'text|null',
    swept_at: 'text|null',
    leased_until: 'text',
  },
  lists: [[]],
};
