/** Gives a domain an owner without domain verification, and records the loss of the previous owner. */

import { hostOf } from '../../base/values/agent-id.ts';
import { IdentityError } from '../../errors.ts';
import type { DomainProver } from '../../ports/domain-prover.ts';
import type { Change } from '../../ports/storage.ts';
import type { LastChange } from '../../ports/stored.ts';
import type { DomainClaim, DomainProofMethod, DomainStatus } from '../../records/domain.ts';
import type { Instant } from '../../records.ts';
import { assertWanted, type CallOptions } from '../shared/callers.ts';
import { type Context, now, usageCounter } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { insert, remove, replace } from '../storage/store.ts';
import type { DomainRecord } from './collections.ts';

export async function newOwner(
  context: Pick<Context, 'store' | 'clock'>,
  claim: DomainRecord,
): Promise<readonly Change[]> {
  const { record, steps } = await claimedRecord(context, claim);
  return [insert('domains', record), ...steps];
}

/**
 * Returns the record of the new owner of a domain. The owner may already have a second record for the domain, with a
 * token for its verification. The new record keeps this token, and the returned steps remove the second record.
 */
export async function claimedRecord(
  context: Pick<Context, 'store' | 'clock'>,
  claim: DomainRecord,
): Promise<{ readonly record: DomainRecord; readonly steps: readonly Change[] }> {
  const otherBase = await context.store.get('domains', besideId(claim.id, claim.account_id));
  const { token, token_expires_at } = otherBase ?? {};
  const keptFields = {
    ...(token !== undefined && { token }),
    ...(token_expires_at !== undefined && { token_expires_at }),
  };
  const record: DomainRecord = { ...claim, ...keptFields, status: 'claimed' };
  return { record, steps: otherBase === undefined ? [] : removeClaim(context, otherBase) };
}

/**
 * Creates the step that marks the previous owner. Signed passports of this account for the domain are then revoked in
 * the status list.
 */
export async function lossOf(
  { store }: Pick<Context, 'store'>,
  { id: host, account_id, created_at }: DomainRecord,
  { changed_at, changed_by }: LastChange,
): Promise<Change> {
  const id = besideId(host, account_id);
  const baseBefore = await store.get('domains', id);
  const version = (baseBefore?.version ?? 0) + 1;
  const record: DomainRecord = {
    id,
    account_id,
    created_at,
    status: 'lost',
    version,
    changed_at,
    changed_by,
  };
  return baseBefore === undefined
    ? insert('domains', record)
    : replace('domains', record, baseBefore.version);
}

const MAX_PENDING = 100;
const PAGE = 100;

/**
 * Stores and counts a claim that waits for verification; returns `false` if another change was first. Removes claims
 * with an expired token before it throws `plan_limit_reached`.
 */
export async function insertPending(
  context: Pick<Context, 'store' | 'clock'>,
  record: DomainRecord,
  { signal }: CallOptions,
): Promise<boolean> {
  const add: Change = { ...countStep(context, record.account_id, 1), max: MAX_PENDING };
  for (const isSettled of [false, true]) {
    const result = await context.store.write(insert('domains', record), add);
    if (result.written) return true;
    if (result.failed.some(({ failure }) => failure === 'exists')) return false;
    if (!isSettled) await removeEnded(context, record.account_id, signal);
  }
  const message = `At most ${MAX_PENDING} domains of an account may wait for their proof: prove one, or give one up.`;
  throw new IdentityError('plan_limit_reached', message);
}

export function removeClaim(context: Pick<Context, 'clock'>, record: DomainRecord): readonly Change[] {
  const end = remove('domains', record.id, record.version);
  return record.status === 'pending' ? [end, countStep(context, record.account_id, -1)] : [end];
}

function countStep(
  context: Pick<Context, 'clock'>,
  account_id: string,
  delta: 1 | -1,
): Extract<Change, { op: 'add' }> {
  return { op: 'add', counter: usageCounter('pending_domains', account_id), by: delta, at: now(context) };
}

async function removeEnded(
  context: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store } = context;
  for await (const record of everyRecord(recordsBy(store, 'domains', { account_id }), PAGE)) {
    assertWanted(signal);
    const { status, token_expires_at } = record;
    const isEnded =
      status === 'pending' && token_expires_at !== undefined && token_expires_at <= now(context);
    // A record that was changed meanwhile stays.
    if (isEnded) await store.write(...removeClaim(context, record));
  }
}

/**
 * Returns the id of the record of an account that does not own the host. Such a record has the token for a
 * verification, or says that the account has lost the domain. The owner's record has the host as its id.
 */
export function besideId(host: string, account_id: string): string {
  return `${host}:${account_id}`;
}

export function checksCounter(account_id: string, domain?: string): string {
  return `domain_checks:${account_id}${domain === undefined ? '' : `:${domain}`}`;
}

export function isOwner({ id }: DomainRecord): boolean {
  return !id.includes(':');
}

export function claimedHost({ id }: DomainRecord): string {
  return hostOf(id.split(':', 1)[0] ?? '');
}

/**
 * Says whether the account has verified the domain. It is still verified with the status `lapsed`, which
 * means that the latest regular checks did not find the token.
 */
export function isProven({ status }: DomainRecord): boolean {
  return status === 'proven' || status === 'lapsed';
}

export function toClaim(record: DomainRecord, instant: Instant): DomainClaim {
  const { account_id, created_at, changed_at = null, changed_by = null } = record;
  const { token, token_expires_at = null, method = null, proven_at = null, checked_at = null } = record;
  const domain = claimedHost(record);
  const hasToken =
    token !== undefined && (isProven(record) || token_expires_at === null || instant < token_expires_at);
  return {
    domain,
    account_id,
    status: shownStatus(record, hasToken),
    method,
    proven_at,
    checked_at,
    ...(hasToken && {
      token,
      ...placesOf(domain, token),
      expires_at: isProven(record) ? null : token_expires_at,
    }),
    created_at,
    changed_at,
    changed_by,
  };
}

function shownStatus(record: DomainRecord, hasToken: boolean): DomainStatus {
  const { status = 'claimed' } = record;
  if (isProven(record)) return status;
  if (hasToken) return 'pending';
  return status === 'lost' ? 'lost' : 'claimed';
}

function placesOf(domain: string, token: string): Required<Pick<DomainClaim, 'dns' | 'https'>> {
  return {
    dns: { name: `_agent-identity.${domain}`, value: `agent-identity=${token}` },
    https: { url: `https://${domain}/.well-known/agent-identity`, body: token },
  };
}

/** The result of one check. The service shows nothing else from the reply of the domain. */
type LookupResult = 'found' | 'not found' | 'no answer';

export type Seen = Readonly<Record<DomainProofMethod, LookupResult>>;

export async function lookFor(prover: DomainProver, domain: string, token: string): Promise<Seen> {
  const { dns: record, https: page } = placesOf(domain, token);
  const [dns, https] = await Promise.all([
    lookUp(async () => (await prover.txt(record.name)).includes(record.value)),
    lookUp(async () => (await prover.text(page.url)).trim() === page.body),
  ]);
  return { dns, https };
}

async function lookUp(look: () => Promise<boolean>): Promise<LookupResult> {
  try {
    return (await look()) ? 'found' : 'not found';
  } catch {
    return 'no answer';
  }
}

export function methodIn({ dns, https }: Seen): DomainProofMethod | undefined {
  if (dns === 'found') return 'dns';
  return https === 'found' ? 'https' : undefined;
}
