/** Domain verification: an account requests a token, publishes the token, and has the service check it. */
import { isDomain } from '../base/values/agent-id.ts';
import { formatInstant } from '../base/values/instant.ts';
import type { DomainRecord } from '../core/domains/collections.ts';
import {
  besideId,
  checksCounter,
  insertPending,
  isOwner,
  isProven,
  lookFor,
  lossOf,
  methodIn,
  removeClaim,
  type Seen,
  toClaim,
} from '../core/domains/owner.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { accountOf, authorOf, type Context, now } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { logChange, logSecurityEvent } from '../core/shared/security-log.ts';
import { insert, replace, untilWritten } from '../core/storage/store.ts';
import { randomText } from '../credential/random-id.ts';
import { conflict, IdentityError, invalidRequest } from '../errors.ts';
import type { Change } from '../ports/storage.ts';
import type { DomainClaim, DomainProofMethod } from '../records/domain.ts';
import { mustBe } from '../schema/expected.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  | 'store'
  | 'clock'
  | 'random'
  | 'nextEventName'
  | 'session'
  | 'allowLocalhost'
  | 'domainProver'
  | 'auditDays'
  | 'log'
>;

/** Verifies the domains of an account. */
export interface DomainProofs<Options = CallOptions> {
  /**
   * Returns the claim of the account with its token, which stays the same for 7 days.
   *
   * @throws {IdentityError} `domain_claimed` if another account has verified the domain
   * @throws {IdentityError} `plan_limit_reached` if 100 domains of the account wait for verification
   * @throws {IdentityError} `invalid_request` for a malformed domain.
   */
  claim(domain: string, options?: Options & CallOptions): Promise<DomainClaim>;
  /**
   * Looks for the token in DNS and at the web server of the domain, and returns the verified claim.
   *
   * @throws {IdentityError} `conflict` with the results if the token is not found
   * @throws {IdentityError} `not_found` if the account has no claim
   * @throws {IdentityError} `rate_limited` after 10 checks of a domain or 60 checks of an account in an hour
   * @throws {IdentityError} `domain_claimed` if another account has verified the domain.
   * @throws {IdentityError} `invalid_request` for a malformed domain.
   */
  check(domain: string, options?: Options): Promise<DomainClaim>;
}

/** Verifies domains in process, with methods that HTTP does not have. */
export interface HostDomainProofs extends DomainProofs<Actor> {
  /**
   * Returns the same as `claim`, and whether the claim is new.
   *
   * @throws {IdentityError} `domain_claimed` as `claim`.
   * @throws {IdentityError} `plan_limit_reached` as `claim`.
   * @throws {IdentityError} `invalid_request` as `claim`.
   */
  claimNow(
    domain: string,
    options?: Actor & CallOptions,
  ): Promise<{ readonly claim: DomainClaim; readonly isNew: boolean }>;
}

const TOKEN_MS = 7 * 24 * 60 * 60_000;
const CHECK_WINDOW_SECONDS = 60 * 60;
const CHECKS_OF_DOMAIN = 10;
const CHECKS_OF_ACCOUNT = 60;

export function createDomainProofs(context: Needs): HostDomainProofs {
  const { store, domainProver } = context;

  async function claimNow(domain: string, options: Actor & CallOptions = {}) {
    assertHost(context, domain);
    const account_id = accountOf(context, options);
    return untilWritten(async () => {
      const { owner, own } = await claimsOf(context, domain, account_id);
      if (own !== owner) assertFree(owner);
      if (own !== undefined && hasToken(context, own)) {
        return { claim: toClaim(own, now(context)), isNew: false };
      }
      const next = own === undefined ? newClaim(context, domain, account_id) : withToken(context, own);
      if (!(await writeClaim(next, own, options))) return undefined;
      return { claim: toClaim(next, now(context)), isNew: own === undefined || !isOwner(own) };
    });
  }

  async function writeClaim(
    next: DomainRecord,
    ownRecord: DomainRecord | undefined,
    options: Actor & CallOptions,
  ): Promise<boolean> {
    if (ownRecord === undefined) return insertPending(context, next, options);
    return (await store.write(replace('domains', next, ownRecord.version))).written;
  }

  async function look(domain: string, token: string): Promise<DomainProofMethod> {
    if (domainProver === undefined) {
      throw conflict('This service cannot look for tokens. Set the option domainProver.');
    }
    const results = await lookFor(domainProver, domain, token);
    const method = methodIn(results);
    if (method !== undefined) return method;
    throw notSeen(results);
  }

  return {
    claimNow,
    claim: async (domain, options) => (await claimNow(domain, options)).claim,

    async check(domain, actor = {}) {
      assertHost(context, domain);
      const account_id = accountOf(context, actor);
      const { owner, own } = await claimsOf(context, domain, account_id);
      if (own === undefined)
        throw new IdentityError(
          'not_found',
          `The account has no claim on the domain ${domain}. Claim it first.`,
        );
      if (own !== owner) assertFree(owner);
      const { token } = own;
      if (token === undefined || !hasToken(context, own)) {
        throw conflict('There is no token to look for: claim the domain first.');
      }
      await countCheck(context, account_id, domain);
      const method = await look(domain, token);
      return untilWritten(() => prove(context, { domain, token, method, actor }));
    },
  };
}

interface Proof {
  readonly domain: string;
  readonly token: string;
  readonly method: DomainProofMethod;
  readonly actor: Actor;
}

async function prove(
  context: Needs,
  { domain, token, method, actor }: Proof,
): Promise<DomainClaim | undefined> {
  const account_id = accountOf(context, actor);
  const { owner, own } = await claimsOf(context, domain, account_id);
  if (own?.token !== token) throw conflict('The claim was changed meanwhile. Try again.');
  if (own !== owner) assertFree(owner);
  const instant = now(context);
  const { token_expires_at: _, ...keptFields } = own;
  const proven_at = own.proven_at ?? instant;
  const proof = {
    status: 'proven',
    method,
    proven_at,
    checked_at: instant,
    seen_at: instant,
    failures: 0,
  } as const;
  const version = (owner?.version ?? 0) + 1;
  const next: DomainRecord = { ...keptFields, ...proof, id: domain, version };
  const changed_by = authorOf(context, actor);
  const event = eventOf(context, 'domain.claimed', { account_id, data: { domain, changed_by } });
  const changes: Change[] = [
    owner === undefined ? insert('domains', next) : replace('domains', next, owner.version),
    ...(own === owner ? [] : [...removeClaim(context, own), event]),
  ];
  const isMoved = owner !== undefined && own !== owner;
  if (isMoved) changes.push(await lossOf(context, owner, { changed_at: instant, changed_by }));
  const { written } = await context.store.write(...changes);
  if (!written) return undefined;
  if (isMoved) {
    // `passport list --domain` shows its passports, which no longer resolve.
    const endedFields = { domain, account_id: owner.account_id, to_account_id: account_id };
    logSecurityEvent(context, 'domain.claim_ended', endedFields);
  }
  logChange(context, 'domain.proven', actor, { domain });
  return toClaim(next, instant);
}

/**
 * Returns two records of the domain: the claim of the account that owns it, and the record of `account_id`.
 * Both are the same record if this account owns the domain. Each may be missing.
 */
export async function claimsOf(
  { store }: Pick<Context, 'store'>,
  domain: string,
  account_id: string,
): Promise<{ readonly owner: DomainRecord | undefined; readonly own: DomainRecord | undefined }> {
  const [owner, otherBase] = await Promise.all([
    store.get('domains', domain),
    store.get('domains', besideId(domain, account_id)),
  ]);
  return { owner, own: owner?.account_id === account_id ? owner : otherBase };
}

function assertHost(
  { allowLocalhost }: Pick<Context, 'allowLocalhost'>,
  domain: unknown,
): asserts domain is string {
  const isHost = typeof domain === 'string' && !domain.includes('%') && isDomain(domain, { allowLocalhost });
  if (isHost) return;
  throw invalidRequest([{ path: '/domain', code: 'malformed', message: mustBe('/domain') }]);
}

/** Throws if another account has verified the domain. A claim without verification does not protect a domain. */
function assertFree(owner: DomainRecord | undefined): void {
  if (owner === undefined || !isProven(owner)) return;
  throw new IdentityError(
    'domain_claimed',
    'Another account has verified this domain. An operator can transfer it.',
  );
}

function hasToken(context: Pick<Context, 'clock'>, record: DomainRecord): boolean {
  const { token, token_expires_at } = record;
  if (token === undefined) return false;
  return isProven(record) || token_expires_at === undefined || now(context) < token_expires_at;
}

function newClaim(
  context: Pick<Context, 'clock' | 'random'>,
  domain: string,
  account_id: string,
): DomainRecord {
  const result = { version: 0, created_at: now(context), changed_at: null, changed_by: null };
  const id = besideId(domain, account_id);
  return withToken(context, { ...result, id, account_id, status: 'pending' });
}

function withToken({ clock, random }: Pick<Context, 'clock' | 'random'>, record: DomainRecord): DomainRecord {
  const token = `aid-${randomText(43, random)}`;
  const token_expires_at = formatInstant(clock.now() + TOKEN_MS);
  return { ...record, token, token_expires_at, version: record.version + 1 };
}

/** Counts one check. Each check sends a request to a host that the account chose, so no setting raises these limits. */
async function countCheck(
  context: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  domain: string,
): Promise<void> {
  const { clock, store } = context;
  const expires_at = formatInstant(clock.now() + CHECK_WINDOW_SECONDS * 1_000);
  const step = (counter: string, max: number): Change => ({
    op: 'add',
    counter,
    by: 1,
    max,
    at: now(context),
    expires_at,
  });
  const { written } = await store.write(
    step(checksCounter(account_id, domain), CHECKS_OF_DOMAIN),
    step(checksCounter(account_id), CHECKS_OF_ACCOUNT),
  );
  if (written) return;
  throw new IdentityError('rate_limited', 'The domain was checked too often: try again later.', {
    details: { retryAfterSeconds: CHECK_WINDOW_SECONDS },
  });
}

function notSeen(results: Seen): IdentityError {
  const message = `The token was not seen. DNS: ${results.dns}. HTTPS: ${results.https}.`;
  return new IdentityError('conflict', message, { details: { seen: results } });
}
