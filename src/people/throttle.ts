/** Slows down the guessing of passwords. The storage counts each attempt before a password is hashed. */

import { formatInstant } from '../base/values/instant.ts';
import type { AccountRecord } from '../core/accounts/collections.ts';
import { IN_PROCESS } from '../core/accounts/passwords.ts';
import { findLogin } from '../core/members/members.ts';
import type { Traced } from '../core/shared/callers.ts';
import { type Context, now } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { logSecurityEvent, type SecurityEvent, type SecurityFacts } from '../core/shared/security-log.ts';
import { notWritten } from '../core/storage/store.ts';
import { normalizeEmail } from '../credential/email.ts';
import type { Visitor } from '../credential/fair-queue.ts';
import { digestText } from '../credential/random-id.ts';
import { IdentityError } from '../errors.ts';
import { hashing } from '../platform/index.ts';
import type { Change } from '../ports/storage.ts';
import { addressBucket, networksOf } from './address-bucket.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  'store' | 'clock' | 'nextEventName' | 'seal' | 'auditDays' | 'limitsRates' | 'awaitedAfter' | 'log'
>;

/** The origin of a request over HTTP. A call in process has no origin and no limit. */
export interface CallerOrigin extends Traced {
  /** The IPv4 or IPv6 address. All clients without an address share one limit. */
  readonly address: string | undefined;
}

export function origin(client: CallerOrigin | undefined): SecurityFacts {
  return { address: client?.address?.slice(0, MAX_ADDRESS), request_id: client?.request_id };
}

/** Limits the calls that hash a password or ask an issuer. */
export interface Throttle {
  /**
   * Runs `check`, which verifies a password. Only `invalid_credentials` counts as a failure. `check` receives the
   * visitor under which it waits for its turn.
   *
   * @throws {IdentityError} `rate_limited` after too many failures.
   */
  attempt<Result>(
    email: string,
    client: CallerOrigin | undefined,
    check: (visitor: Visitor) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Counts the creation of an account.
   *
   * @throws {IdentityError} `rate_limited` if this client has created too many.
   */
  register(client: CallerOrigin | undefined): Promise<void>;
  /**
   * Counts the use of a link.
   *
   * @throws {IdentityError} `rate_limited` if this client has used too many.
   */
  link(client: CallerOrigin | undefined): Promise<void>;
  /**
   * Counts a sign-in with an issuer before it begins; throws `rate_limited` if too many sign-ins have not succeeded.
   */
  begin(client: CallerOrigin | undefined): Promise<void>;
  /**
   * Runs the end of a sign-in, which sends a request to an issuer; throws `rate_limited` after too many failures of any
   * kind. A success also subtracts the sign-in from the count of `begin`.
   */
  issuer<Result>(client: CallerOrigin | undefined, signIn: () => Promise<Result>): Promise<Result>;
}

/** The maximum length of an address: an IPv6 address with its zone. A client can make a proxy send any text. */
const MAX_ADDRESS = 64;
const MAX_PER_PAIR = 10;
const MAX_PER_ADDRESS = 50;
const MAX_REGISTRATIONS = 50;
const MAX_LINKS = 50;
const MAX_ISSUER = 50;
/**
 * The maximum of unfinished sign-ins of an address. It is higher than for failures, because many people can share an
 * address, and some never return from the issuer.
 */
const MAX_BEGUN = 300;
/**
 * The number of failures of an e-mail, from any address, before attempts are delayed. Each further failure adds a step
 * to the delay.
 */
const UNDELAYED = 10;
const DELAY_STEP_MS = 250;
const LONGEST_DELAY_MS = 2_000;

/** Creates the throttle. Its counters contain digests instead of e-mails and addresses. */
export function createThrottle(context: Needs): Throttle {
  const { store, limitsRates, awaitedAfter } = context;
  const counters = createAttemptCounters(context);
  const { add, reserve, giveBack } = counters;

  async function delay(counter: string): Promise<boolean> {
    const failures = (await store.count(counter, now(context))) - 1;
    const ms = Math.min((failures - UNDELAYED + 1) * DELAY_STEP_MS, LONGEST_DELAY_MS);
    if (ms > 0) await new Promise<void>((resolve) => awaitedAfter(ms, resolve));
    return failures > 0;
  }

  async function attempt<Result>(
    email: string,
    client: CallerOrigin | undefined,
    check: (visitor: Visitor) => Promise<Result>,
  ): Promise<Result> {
    const visitor = visitorOf(client);
    if (client === undefined || !limitsRates) return check(visitor);
    const emailAddress = normalizeEmail(email);
    const bucket = addressBucket(client.address);
    const pair = `login:pair:${digest(`${bucket}\n${emailAddress}`)}`;
    const address = `login:address:${digest(bucket)}`;
    const account = `login:email:${digest(emailAddress)}`;
    // INVARIANT: counted before the check, so that of a hundred simultaneous guesses only ten are checked.
    await reserve(add(pair, 1, MAX_PER_PAIR), add(address, 1, MAX_PER_ADDRESS), add(account, 1));
    const result = await delay(account)
      .then((hasFailed) => check({ ...visitor, hasFailed }))
      .catch(async (error: unknown) => {
        if (codeOf(error) !== 'invalid_credentials')
          await giveBack([pair, address, account]).catch(() => undefined);
        throw error;
      });
    await giveBack([pair, address, account]);
    return result;
  }

  return {
    attempt: (email, client, check) =>
      attempt(email, client, check).catch(async (error: unknown) => {
        const code = codeOf(error);
        const event = code === undefined ? undefined : REFUSED[code];
        if (event !== undefined) await tellRefused(context, counters, { event, email, client });
        throw error;
      }),

    async link(client) {
      if (client === undefined || !limitsRates) return;
      await reserve(add(`link:address:${digest(addressBucket(client.address))}`, 1, MAX_LINKS));
    },

    async begin(client) {
      if (client === undefined || !limitsRates) return;
      await reserve(add(begunCounter(client), 1, MAX_BEGUN));
    },

    async issuer(client, signIn) {
      if (client === undefined || !limitsRates) return signIn();
      const counter = `oidc:address:${digest(addressBucket(client.address))}`;
      // INVARIANT: counted before the issuer is asked, so that of a hundred simultaneous requests only fifty ask it.
      await reserve(add(counter, 1, MAX_ISSUER));
      const result = await signIn();
      await giveBack([counter, begunCounter(client)]);
      return result;
    },

    async register(client) {
      if (client === undefined || !limitsRates) return;
      const counter = `register:address:${digest(addressBucket(client.address))}`;
      await reserve(add(counter, 1, MAX_REGISTRATIONS)).catch((error: unknown) => {
        if (codeOf(error) === 'rate_limited') {
          logSecurityEvent(context, 'account.registration_throttled', origin(client));
        }
        throw error;
      });
    },
  };
}

const REFUSED: { readonly [code in IdentityError['code']]?: SecurityEvent } = {
  invalid_credentials: 'account.login_failed',
  rate_limited: 'account.login_throttled',
};

async function storeThrottled(
  context: Needs,
  { add }: AttemptCounters,
  { id }: AccountRecord,
): Promise<void> {
  const data = { account_id: id, retry_after_seconds: WINDOW_SECONDS };
  const event = eventOf(context, 'account.login_throttled', { account_id: id, data });
  await context.store.write(add(`throttled:${id}`, 1, 1), event);
}

/**
 * Logs a refused login. An e-mail is personal, and may be a password that was typed by mistake. If it has no account,
 * the log contains a keyed hash.
 */
async function tellRefused(
  context: Needs,
  counters: AttemptCounters,
  { event, email, client }: { event: SecurityEvent; email: string; client: CallerOrigin | undefined },
): Promise<void> {
  const address = normalizeEmail(email);
  const record = (await findLogin(context, address).catch(() => undefined))?.account;
  // Made in both cases, so that both take the same time.
  const email_hash = context.seal.hint('login', address);
  const owner = record === undefined ? { email_hash } : { account_id: record.id };
  logSecurityEvent(context, event, { ...owner, ...origin(client) });
  if (record !== undefined && event === 'account.login_throttled')
    await storeThrottled(context, counters, record).catch(() => undefined);
}

function begunCounter({ address }: CallerOrigin): string {
  return `oidc:begun:${digest(addressBucket(address))}`;
}

function codeOf(error: unknown): IdentityError['code'] | undefined {
  return error instanceof IdentityError ? error.code : undefined;
}

/** Returns the visitor of a client, without failures. */
export function visitorOf(client: CallerOrigin | undefined): Visitor {
  if (client === undefined) return IN_PROCESS;
  return { networks: networksOf(addressBucket(client.address)), hasFailed: false };
}

function digest(text: string): string {
  return digestText(hashing.sha256Hex(text));
}

const WINDOW_SECONDS: number = 15 * 60;

interface AttemptCounters {
  add(counter: string, delta: number, max?: number): Change;
  reserve(...steps: readonly Change[]): Promise<void>;
  giveBack(counters: readonly string[]): Promise<void>;
}

function createAttemptCounters(context: Pick<Context, 'store' | 'clock'>): AttemptCounters {
  const { store } = context;

  function add(counter: string, delta: number, max?: number): Change {
    const expires_at = formatInstant(context.clock.now() + WINDOW_SECONDS * 1_000);
    return { op: 'add', counter, by: delta, at: now(context), expires_at, ...(max !== undefined && { max }) };
  }

  async function reserve(...steps: readonly Change[]): Promise<void> {
    const result = await store.write(...steps);
    if (result.written) return;
    if (result.failure !== 'limit') throw notWritten();
    throw new IdentityError('rate_limited', 'There were too many attempts: try again later.', {
      details: { retryAfterSeconds: WINDOW_SECONDS },
    });
  }

  /**
   * Subtracts one from each counter, except from an expired counter. A count below zero would permit more than the
   * maximum.
   */
  async function giveBack(counters: readonly string[]): Promise<void> {
    const steps: Change[] = [];
    for (const counter of counters) {
      if ((await store.count(counter, now(context))) > 0) steps.push(add(counter, -1));
    }
    // In one write: three writes cost a store on disk more than the rest of a login.
    if (steps.length > 0) await store.write(...steps);
  }

  return { add, reserve, giveBack };
}
