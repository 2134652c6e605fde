import type { Collection } from '../../ports/collection.ts';
import type { RecordBase } from '../../ports/stored.ts';
import type { ApiKey } from '../../records.ts';

/** An API key. `digest` is the full SHA-256 of the key, in hex. Only `active` keys count towards the plan. */
export type KeyRecord = RecordBase &
  Omit<ApiKey, 'domains' | 'person'> & {
    readonly digest: string;
    /** The domains that a management key is restricted to. */
    readonly domains?: readonly string[];
    /** The member for whom the key acts. Only management keys, and keys that a management key made, have one. */
    readonly person?: string;
  };

export const keyCollection: Collection<KeyRecord> = {
  fields: {
    name: 'text',
    start: 'text',
    digest: 'text',
    environment: 'text',
    scopes: 'json',
    agent_ids: 'json|null',
    domains: 'json?',
    person: 'text?',
    status: 'text',
    expires_at: 'text|null',
    last_used_at: 'text|null',
    revoked_at: 'text|null',
    rotated_to: 'text|null',
    created_by: 'text|null',
    changed_at: 'text|null',
    changed_by: 'text|null',
    revoked_by: 'text|null',
  },
  lists: [['account_id']],
  expired: ['account_id', 'status'],
  isCached: true,
  owner: { account: 'account_id' },
};
