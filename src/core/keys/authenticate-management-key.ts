/** Finds the caller of a management key. Each request reads the key, its account and its person, without a cache. */

import { withIncluded } from '../../base/values/scopes.ts';
import { apiKeyId, managementKeyDigest, managementKeyStart } from '../../credential/api-key.ts';
import { memberOf } from '../members/members.ts';
import type { Actor, ManagementCaller, Traced } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import { type KeyUse, MALFORMED, type Refusal, refusalOf, UNKNOWN } from './authenticate-key.ts';
import type { KeyRecord } from './collections.ts';
import { isManaging, keyStatusAt } from './key-record.ts';

/**
 * Returns the caller of a management key.
 *
 * @throws {IdentityError} `unauthenticated` if the key is not valid now, or its person no longer exists.
 */
export type AuthenticateManagementKey = (apiKey: string, trace: Traced) => Promise<ManagementCaller>;

/** Creates the function that authenticates management keys and records their use. */
export function createAuthenticateManagementKey(
  context: Pick<Context, 'store' | 'clock' | 'log'>,
  use: KeyUse,
): AuthenticateManagementKey {
  return async (apiKey, { request_id = null }) => {
    const value = await find(context, apiKey);
    if ('refused' in value) throw refusalOf(context, value, managementKeyStart(apiKey), { request_id });
    use.note(value.record);
    return value.caller;
  };
}

async function find(context: Pick<Context, 'store' | 'clock'>, apiKey: string): Promise<Found | Refusal> {
  const digest = managementKeyDigest(apiKey);
  if (digest === undefined) return MALFORMED;
  const record = await context.store.get('keys', apiKeyId(digest));
  return record?.digest === digest ? foundOf(context, record) : UNKNOWN;
}

/** Says whether a management key is still valid and has the same rights. A stream that the key opened checks this. */
export async function isManagementValid(
  context: Pick<Context, 'store' | 'clock'>,
  actor: Actor,
): Promise<boolean> {
  const record = await context.store.get('keys', actor.key_id ?? '');
  const value = record === undefined ? UNKNOWN : await foundOf(context, record);
  if ('refused' in value) return false;
  return JSON.stringify(value.caller.management) === JSON.stringify(actor.management);
}

interface Found {
  readonly record: KeyRecord;
  readonly caller: ManagementCaller;
}

async function foundOf(
  context: Pick<Context, 'store' | 'clock'>,
  record: KeyRecord,
): Promise<Found | Refusal> {
  if (!isManaging(record.scopes)) return UNKNOWN;
  const status = keyStatusAt(record, now(context));
  if (status !== 'active' && status !== 'rotating') return { refused: status, record };
  const { account_id, agent_ids, scopes, domains = null, person = null } = record;
  const [account, member] = await Promise.all([
    context.store.get('accounts', account_id),
    person === null ? undefined : memberOf(context, account_id, person),
  ]);
  // An account that the host manages has no record here, and no limits.
  if (account !== undefined && account.disabled_at !== null) return { refused: 'account_disabled', record };
  if (person !== null && member?.status !== 'active') return { refused: 'person_removed', record };
  const caller: ManagementCaller = {
    account_id,
    key_id: record.id,
    agent_ids,
    plan: account?.plan ?? 'enterprise',
    management: { scopes: withIncluded(scopes), domains, person },
    role: member?.role ?? null,
  };
  return { record, caller };
}
