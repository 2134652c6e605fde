/** Defines the stored records of repeated requests, and of texts that all nodes share. */

import type { Collection } from '../../ports/collection.ts';
import type { RecordBase, StoredValue } from '../../ports/stored.ts';
import type { Instant } from '../../records.ts';

/** An idempotency record. Its `id` is derived from the account and its `Idempotency-Key`. */
export type IdempotencyRecord = RecordBase & {
  readonly expires_at: Instant;
  /** The SHA-256 of the operation and its input, in hex. */
  readonly request_digest: string;
  readonly object_id: string;
  /** The answer, without a secret that it contained, such as a new API key. */
  readonly response: { readonly [field: string]: StoredValue };
};

/** The collection of answers to repeated requests. */
export const idempotencyCollection: Collection<IdempotencyRecord> = {
  fields: {
    expires_at: 'text',
    request_digest: 'text',
    object_id: 'text',
    response: 'json',
  },
  lists: [['account_id']],
  expires: true,
  isConfirmed: true,
  owner: { account: 'account_id' },
};

/** A text on which all nodes must agree. Its `id` is its name. */
export type SharedTextRecord = RecordBase & { readonly text: string };

export const sharedTextCollection: Collection<SharedTextRecord> = {
  fields: { text: 'text' },
  lists: [[]],
  isConfirmed: true,
};
