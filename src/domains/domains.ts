/** Manages the claims of domains. An operator can correct a wrong claim. */
import type { Pages } from '../base/pages.ts';
import { hostOf } from '../base/values/agent-id.ts';
import { formatInstant } from '../base/values/instant.ts';
import type { DomainRecord } from '../core/domains/collections.ts';
import {
  claimedHost,
  claimedRecord,
  isOwner,
  isProven,
  lookFor,
  lossOf,
  methodIn,
  removeClaim,
  toClaim,
} from '../core/domains/owner.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { accountOf, authorOf, type Context, now, nowAfter, OPERATOR } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { type PageRequest, readPage } from '../core/shared/pages.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { isBound, isDomainWithin } from '../core/shared/seen.ts';
import { replace, untilWritten } from '../core/storage/store.ts';
import { conflict, describeCause, IdentityError, noSuch } from '../errors.ts';
import type { RoomCode } from '../operations/room-code.ts';
import type { DomainProver } from '../ports/domain-prover.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { Change } from '../ports/storage.ts';
import type { DomainClaim } from '../records/domain.ts';
import type { Page } from '../records.ts';
import { claimsOf, createDomainProofs, type DomainProofs, type HostDomainProofs } from './proof.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  | 'store'
  | 'caches'
  | 'clock'
  | 'random'
  | 'nextEventName'
  | 'seal'
  | 'session'
  | 'allowLocalhost'
  | 'claimsDomains'
  | 'domainProver'
  | 'auditDays'
  | 'after'
  | 'log'
>;

/** The options of `release`. */
export interface ReleaseOptions {
  /** `true` to release the domain although the account has unrevoked passports for it. */
  readonly force?: boolean;
}

/**
 * Manages the claims of domains. Only operators can use `transfer`, and call `list` and `release` without `account_id`.
 */
export interface Domains<Options = CallOptions> extends DomainProofs<Options> {
  /**
   * Lists the claims of the account, newest first. Without `account_id` it lists the claims of all accounts.
   *
   * @throws {IdentityError} `invalid_request` for a wrong limit or cursor.
   */
  list(page?: PageRequest, options?: Options & CallOptions): Pages<Page<DomainClaim>>;
  /**
   * Releases a domain. The next account that issues a passport for it owns the domain. With `account_id`,
   * only the claim of that account is released. With `force`, the account keeps its passports. The service
   * then revokes the tokens that it signed for these passports, in the status list.
   *
   * @throws {IdentityError} `not_found` if no account owns the domain
   * @throws {IdentityError} `conflict` if the owner has a passport for it that is not revoked, unless `force` is set
   */
  release(domain: string, options?: Options): Promise<void>;
}

/** Manages domains in process, with methods that HTTP does not have. */
export interface HostDomains extends Domains<Actor>, HostDomainProofs {
  release(domain: string, options?: Actor & ReleaseOptions): Promise<void>;
  /** `true` unless the option `domainProof` is `off`. */
  readonly isOn: boolean;
  /**
   * Transfers the domain to another account. The new owner still has to verify the domain. The previous owner keeps its
   * passports. The service revokes the tokens that it signed for these passports, in the status list.
   *
   * @throws {IdentityError} `not_found` if there is no such claim or account.
   */
  transfer(domain: string, recipient: { readonly account_id: string }): Promise<DomainClaim>;
}

/** The domains of a service. `stop` ends the regular checks. */
export interface OpenDomains extends RoomCode<HostDomains> {
  stop(): void;
}

export function createDomains(context: Needs): OpenDomains {
  const { store } = context;
  const watch = startDomainWatch(context);

  function claimFor(account: string | undefined, domain: string): Promise<DomainRecord> {
    return account === undefined ? claimed(context, domain) : claimedBy(context, domain, account);
  }

  return {
    isOn: context.claimsDomains,
    ...createDomainProofs(context),
    stop: watch.stop,

    async list(page = {}, options = {}) {
      const account_id = 'account_id' in options ? accountOf(context, options) : undefined;
      return readPage(
        context,
        {
          query: ['domains', account_id],
          ...recordsBy(store, 'domains', account_id === undefined ? {} : { account_id }),
          show: (record: DomainRecord) => toClaim(record, now(context)),
          ...(isBound(options) && { keep: ({ id }: DomainRecord) => isDomainWithin(options, id) }),
        },
        page,
        options,
      );
    },

    async release(domain, { force = false, ...actor } = {}) {
      const account = 'account_id' in actor ? accountOf(context, actor) : undefined;
      const author = account === undefined ? OPERATOR : authorOf(context, actor);
      await untilWritten(async () => {
        const record = await claimFor(account, domain);
        // A record with a token only is no claim.
        const isUsed = record.status !== 'pending' && (await inUse(context, record));
        if (!force && isUsed) throw stillUsed();
        const change = { changed_at: now(context), changed_by: author };
        const loss = isUsed ? [await lossOf(context, record, change)] : [];
        const { account_id } = record;
        const changes = released(context, record, author);
        const result = await store.write(...removeClaim(context, record), ...loss, ...changes);
        if (!result.written) return undefined;
        logSecurityEvent(context, 'domain.released', { domain, account_id, by: author });
        return true;
      });
    },

    async transfer(domain, { account_id }) {
      const account = await store.get('accounts', account_id);
      if (account === undefined || account.erased_at !== undefined) {
        throw noSuch('account');
      }
      return untilWritten(async () => {
        const foundRecord = await claimed(context, domain);
        const changed_at = nowAfter(context, foundRecord.changed_at ?? foundRecord.created_at);
        const changedFields = { changed_at, changed_by: OPERATOR, version: foundRecord.version + 1 };
        const { id, created_at } = foundRecord;
        // The proof belonged to the previous account.
        const { record, steps } = await claimedRecord(context, {
          id,
          created_at,
          account_id,
          ...changedFields,
        });
        const loss =
          account_id === foundRecord.account_id ? [] : [await lossOf(context, foundRecord, changedFields)];
        const changes = loss.length === 0 ? [] : transferred(context, foundRecord, account_id);
        const result = await store.write(
          replace('domains', record, foundRecord.version),
          ...steps,
          ...loss,
          ...changes,
        );
        if (!result.written) return undefined;
        const movedFields = { account_id: foundRecord.account_id, to_account_id: account_id };
        logSecurityEvent(context, 'domain.transferred', { domain, ...movedFields, by: OPERATOR });
        return toClaim(record, changed_at);
      });
    },
  };
}

function stillUsed(): IdentityError {
  return conflict('The account has passports for this domain: revoke them first.');
}

/**
 * Creates the steps that store the event of a release. Releasing a claim that only waits for verification stores no
 * event.
 */
function released(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  { id: domain, account_id, status }: DomainRecord,
  changed_by: string,
): readonly Change[] {
  if (status === 'pending') return [];
  return [eventOf(context, 'domain.released', { account_id, data: { domain, changed_by } })];
}

function transferred(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  { id: domain, account_id }: DomainRecord,
  recipient: string,
): readonly Change[] {
  const tell = (account: string, isReceived: boolean): Change => {
    const data = { domain, received: isReceived, changed_by: OPERATOR };
    return eventOf(context, 'domain.transferred', { account_id: account, data });
  };
  return [tell(account_id, false), tell(recipient, true)];
}

async function claimed({ store }: Pick<Context, 'store'>, domain: string): Promise<DomainRecord> {
  const record = await store.get('domains', domain);
  if (record !== undefined) return record;
  throw new IdentityError('not_found', `No account has claimed the domain ${domain}.`);
}

async function claimedBy(
  context: Pick<Context, 'store'>,
  domain: string,
  account_id: string,
): Promise<DomainRecord> {
  const { own } = await claimsOf(context, domain, account_id);
  if (own !== undefined) return own;
  throw new IdentityError('not_found', `The account has no claim on the domain ${domain}. Claim it first.`);
}

async function inUse({ store }: Pick<Context, 'store'>, claim: DomainRecord): Promise<boolean> {
  const { account_id } = claim;
  const host = claimedHost(claim);
  const passports = recordsBy(store, 'passports', { account_id });
  for await (const { domain, status } of everyRecord(passports, MAX_PAGE_SIZE)) {
    if (hostOf(domain) === host && status !== 'revoked') return true;
  }
  return false;
}

interface DomainWatch {
  run(): Promise<number>;
  stop(): void;
}

const EVERY_MS = 60 * 60_000;
const DUE_MS = 24 * 60 * 60_000;
/**
 * A verification expires after this number of consecutive failed checks, if at least `LAPSE_MS` has passed since the
 * last success.
 */
const FAILURES = 3;
const EXPIRY_MS = 72 * 60 * 60_000;

function startDomainWatch(context: Needs): DomainWatch {
  const { domainProver, store } = context;
  let isStopped = false;
  let cancel = (): void => {};

  async function run(): Promise<number> {
    if (domainProver === undefined) return 0;
    let lookedCount = 0;
    for await (const record of everyRecord(recordsBy(store, 'domains', {}), MAX_PAGE_SIZE)) {
      if (isStopped) return lookedCount;
      if (!isOwner(record) || !isProven(record) || !isDue(record, context.clock.now())) continue;
      await lookAgain(context, domainProver, record);
      lookedCount += 1;
    }
    return lookedCount;
  }

  function wait(): void {
    cancel = context.after(EVERY_MS, async () => {
      try {
        await run();
      } catch (error) {
        const message = 'Domains could not be verified. The service tries again.';
        context.log({ level: 'error', event: 'domain_watch_failed', message, cause: describeCause(error) });
      }
      if (!isStopped) wait();
    });
  }

  if (domainProver !== undefined) wait();
  return {
    run,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function isDue({ checked_at }: DomainRecord, now: number): boolean {
  return checked_at === undefined || now - Date.parse(checked_at) >= DUE_MS;
}

/** Checks one verified domain again. If another node does so at the same time, the first write counts. */
async function lookAgain(
  context: Pick<Context, 'store' | 'clock' | 'log'>,
  prover: DomainProver,
  record: DomainRecord,
): Promise<void> {
  const { token, id: domain, account_id } = record;
  if (token === undefined) return;
  const method = methodIn(await lookFor(prover, domain, token));
  const now = context.clock.now();
  const failures = method === undefined ? (record.failures ?? 0) + 1 : 0;
  const isExpired =
    failures >= FAILURES && now - Date.parse(record.seen_at ?? record.created_at) >= EXPIRY_MS;
  const status = method !== undefined ? 'proven' : isExpired ? 'lapsed' : record.status;
  const next: DomainRecord = {
    ...record,
    version: record.version + 1,
    checked_at: formatInstant(now),
    failures,
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method, seen_at: formatInstant(now) }),
  };
  const { written } = await context.store.write(replace('domains', next, record.version));
  if (!written || status === record.status) return;
  logSecurityEvent(context, status === 'lapsed' ? 'domain.lapsed' : 'domain.proven', { domain, account_id });
}
