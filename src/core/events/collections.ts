import type { Collection } from '../../ports/collection.ts';
import type { RecordBase, StoredValue } from '../../ports/stored.ts';
import type { Instant } from '../../records.ts';

/**
 * An event, which is written in one step with its change. Its `id` is its position in 25 digits, a dot, and the
 * account.
 */
export type EventRecord = RecordBase & {
  /** The type, such as `passport.revoked`. */
  readonly type: string;
  readonly expires_at: Instant;
  /**
   * The instant from which the leaf of this event may be appended to the evidence log of its account. Absent if there
   * is no leaf to append.
   */
  readonly due_at?: Instant;
  readonly data: { readonly [field: string]: StoredValue };
};

export const eventCollection: Collection<EventRecord> = {
  fields: {
    type: 'text',
    expires_at: 'text',
    due_at: 'text?',
    data: 'json',
  },
  lists: [[], ['account_id']],
  due: ['account_id'],
  expires: true,
  isCached: true,
};
