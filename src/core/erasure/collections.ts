/** The stored records of erasures. */

import type { Collection } from '../../ports/collection.ts';
import type { RecordBase } from '../../ports/stored.ts';
import type { Instant } from '../../records.ts';

/** An erasure in progress, of an account or of one agent. The record is removed when nothing is left. */
export type ErasureRecord = RecordBase & {
  /** The agent; `null`: the whole account. */
  readonly agent_id: string | null;
  /** The instant at which all was removed once. Calls that were in progress then may have stored more since. */
  readonly swept_at: Instant | null;
  /** The instant until which a node has the lease on it. */
  readonly leased_until: Instant;
};

/** The erasures in progress. */
export const erasureCollection: Collection<ErasureRecord> = {
  fields: {
    agent_id: 'text|null',
    swept_at: 'text|null',
    leased_until: 'text',
  },
  lists: [[]],
};
