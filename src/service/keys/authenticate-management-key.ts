/** Finds the caller of a management key. Nothing is cached: each request reads the key, its account and its person. */

import { apiKeyId, managementKeyDigest, managementKeyStart } from '../../credential/api-key.ts';
import { presentMember } from '../logins/logins.ts';
import type { Actor, ManagementCaller, Traced } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import { keyRefused } from '../shared/key-refused.ts';
import { logSecurityEvent } from '../shared/security-log.ts';
import type { KeyUse } from './authenticate-key.ts';
import type { KeyRecord } from './collections.ts';
import { keyStatusAt } from './key-record.ts';
import { isManaging, withIncluded } from './management.ts';

/** Returns the caller; rejects with `unauthenticated` if the key is not valid now, or its person is gone. */
export type AuthenticateManagementKey = (apiKey: string, traced: Traced) => Promise<ManagementCaller>;

type Refused = 'malformed' | 'unknown' | 'expired' | 'revoked' | 'account_disabled' | 'person_removed';

/** Makes the function that authenticates the management keys of one service and notes their use. */
export function createAuthenticateManagementKey(context: Context, use: KeyUse): AuthenticateManagementKey {
  return async (apiKey, { request_id = null }) => {
    const digest = managementKeyDigest(apiKey);
    const record = digest === undefined ? undefined : await context.store.get('keys', apiKeyId(digest));
    const found = digest === undefined ? 'malformed' : await callerOf(context, record, digest);
    if (typeof found !== 'string') {
      if (record !== undefined) use.note(record);
      return found;
    }
    const { id: key_id, account_id } = record ?? {};
    const start = managementKeyStart(apiKey);
    logSecurityEvent(context, 'key.refused', { account_id, key_id, start, reason: found, request_id });
    throw keyRefused();
  };
}

/** Says whether a management key is still valid, with the same rights, for a stream that it opened. */
export async function isManagementValid(context: Context, actor: Actor): Promise<boolean> {
  const record = await context.store.get('keys', actor.key_id ?? '');
  const found = record && (await callerOf(context, record, record.digest));
  if (typeof found !== 'object') return false;
  return JSON.stringify(found.management) === JSON.stringify(actor.management);
}

async function callerOf(
  context: Context,
  record: KeyRecord | undefined,
  digest: string,
): Promise<ManagementCaller | Refused> {
  if (record?.digest !== digest || !isManaging(record.scopes)) return 'unknown';
  const status = keyStatusAt(record, now(context));
  if (status !== 'active' && status !== 'rotating') return status;
  const { account_id, agent_ids, scopes, domains = null, person = null } = record;
  const [account, member] = await Promise.all([
    context.store.get('accounts', account_id),
    person === null ? undefined : presentMember(context, account_id, person),
  ]);
  // An account that the host manages has no record here, and no limits.
  if (account !== undefined && account.disabled_at !== null) return 'account_disabled';
  if (person !== null && member?.status !== 'active') return 'person_removed';
  return {
    account_id,
    key_id: record.id,
    agent_ids,
    plan: account?.plan ?? 'enterprise',
    management: { scopes: withIncluded(scopes), domains, person },
    role: member?.role ?? null,
  };
}
