import type { Collection } from '../ports/collection.ts';
import type { PublicJwk, SigningAlgorithm, SigningPurpose } from '../ports/signer.ts';
import type { RecordBase } from '../ports/stored.ts';
import type { Instant } from '../records.ts';

/**
 * A signing key. Its `id` is the purpose, a colon and a counter, so that only one of two keys created at the same time
 * is stored.
 */
export type SigningKeyRecord = RecordBase & {
  /** The RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly purpose: SigningPurpose;
  readonly alg: SigningAlgorithm;
  readonly public_jwk: PublicJwk;
  /** The private key, encrypted: JWE compact. */
  readonly sealed: string;
  readonly not_before: Instant;
  readonly retire_at: Instant | null;
  readonly revoked_at: Instant | null;
};

/**
 * A slot of a status list (Token Status List). There are three kinds of records, and none of them ever changes:
 *
 * - the record with the id of a list names the owner of the list
 * - the record with the id `<list_id>:<status_index>` marks the slot as taken
 * - the record with the id of an agent names the slot of the agent
 */
export type StatusSlotRecord = RecordBase & {
  readonly list_id: string;
  /** The index of the slot; `null` in the record of the list itself. */
  readonly status_index: number | null;
  /** The agent; `null` in the record of the list itself. */
  readonly agent_id: string | null;
};

export const signingKeyCollection: Collection<SigningKeyRecord> = {
  fields: {
    kid: 'text',
    purpose: 'text',
    alg: 'text',
    public_jwk: 'json',
    sealed: 'text',
    not_before: 'text',
    retire_at: 'text|null',
    revoked_at: 'text|null',
  },
  lists: [[]],
  isCached: true,
};

export const statusSlotCollection: Collection<StatusSlotRecord> = {
  fields: {
    list_id: 'text',
    status_index: 'integer|null',
    agent_id: 'text|null',
  },
  lists: [[]],
};
