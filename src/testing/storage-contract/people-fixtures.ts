import type { StoredRecord, StoredValue } from '../../ports/stored.ts';
import type { CollectionName } from '../../ports/stored-records.ts';

type Values = Readonly<Record<string, StoredValue>>;
type Make = (id: string, fields?: Values) => StoredRecord;

/** Returns the makers of valid records of people, with these fields in each; sessions end at `end`. */
export function peopleFixtures(
  common: Pick<StoredRecord, 'account_id' | 'version' | 'created_at'>,
  end: string,
): Readonly<Record<Extract<CollectionName, 'accounts' | 'sessions' | 'members' | 'logins'>, Make>> {
  return {
    accounts: (id, fields) => ({
      ...common,
      id,
      email: 'ann@example.com',
      external_id: null,
      name: null,
      plan: 'starter',
      password_hash: '$scrypt$x',
      token_version: 1,
      disabled_at: null,
      created_by: 'operator',
      changed_at: null,
      changed_by: null,
      ...fields,
    }),
    sessions: (id, fields) => ({
      ...common,
      ...{ id, member_id: 'mem_a', member_version: 1, token_version: 1 },
      ...{ expires_at: end, revoked_at: null },
      ...fields,
    }),
    members: (id, fields) => ({
      ...common,
      id,
      email: 'ann@example.com',
      name: null,
      role: 'owner',
      status: 'active',
      login: 'password',
      login_id: 'lgn_a',
      link_id: null,
      token_version: 1,
      created_by: 'operator',
      changed_at: null,
      changed_by: null,
      ...fields,
    }),
    logins: (id, fields) => ({
      ...common,
      ...{ id, member_id: 'mem_a', kind: 'password', digest: '00ff', password_hash: '$scrypt$x' },
      ...fields,
    }),
  };
}
