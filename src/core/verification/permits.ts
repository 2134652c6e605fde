/**
 * Signs permits. A permit states that one intent was allowed, and a resource may demand it before it acts.
 * The service signs the permit before it spends anything.
 */

import { createDeadlines, type Deadlines } from '../../base/async/deadlines.ts';
import { createBoundedMap } from '../../base/bounded-map.ts';
import { canonicalJson } from '../../base/values/canonical-json.ts';
import { parseInstant } from '../../base/values/instant.ts';
import { wholeIntent } from '../../base/values/json-data.ts';
import { amountText } from '../../base/values/money.ts';
import {
  MAX_PERMIT_LENGTH,
  PERMIT_SECONDS,
  PERMIT_TYPE,
  TEST_AUDIENCE,
} from '../../base/values/permit-format.ts';
import { IdentityError, overloaded } from '../../errors.ts';
import { hashing } from '../../platform/index.ts';
import type { PermitObstacle, PermitRequest } from '../../records/permit.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import type { Context } from '../shared/context.ts';
import { createSigningRight } from '../signing/signing-right.ts';
import type { TokenSigner } from '../signing/token-signer.ts';
import type { Ancestry, KnownPassport } from '../storage/caches.ts';
import type { KeptTerms } from './replays.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  'store' | 'caches' | 'clockWatch' | 'session' | 'registration' | 'claimsDomains' | 'logState' | 'deadlineMs'
>;

/** An `ALLOW` that needs a permit, with the evaluated passports. */
export interface ToPermit {
  readonly record: VerdictRecord;
  readonly intent: Intent;
  readonly found: KnownPassport;
  readonly ancestry: Ancestry | undefined;
}

/** A permit that the service may sign. */
export interface PlannedPermit {
  /**
   * The end of the permit, and the state of the evidence log that the permit names. If the permit is signed again, it
   * names the same state and does not end later.
   */
  readonly terms: KeptTerms;
  /** The resource that may accept the permit. */
  readonly audience: string;
  /**
   * Signs the permit for this record. The permit ends at the end of `terms` at the latest.
   *
   * @throws {IdentityError} `overloaded` if it cannot be signed now.
   */
  sign(record: VerdictRecord, terms?: KeptTerms): Promise<string>;
}

/**
 * Plans a permit, or returns the reason why there is none. Rejects if the storage does not answer, or if the clock is
 * off.
 */
export type PlanPermit = (toPermit: ToPermit) => Promise<PlannedPermit | Reason>;

/** The text of the reason if there is no permit. */
export const PERMIT_UNAVAILABLE = 'The permit cannot be issued.';

const FRESH_MS = 800;
const LEAST_RIGHTS = 1_000;

/** The minimum time in milliseconds for which the passport must still be valid. */
const LEAST_MS = 1_000;

/** Creates the function of one service that plans permits. `tokens` is absent if the service has no public URL. */
export function createPermits(context: Needs, tokens: TokenSigner | undefined): PlanPermit {
  const { clockWatch, deadlineMs, logState } = context;
  const maySign = rememberedRight(context);
  const deadlines = createDeadlines(deadlineMs, () => new Error('The signer is too late.'));

  return async ({ record, intent, found: passport, ancestry }) => {
    const { audience, seconds = PERMIT_SECONDS, bind = false } = intent.permit as PermitRequest;
    if (tokens === undefined) return unavailable('service');
    if (!(await maySign(passport))) return unavailable('domain');
    const instant = parseInstant(record.evaluated_at) as number;
    const end = earliestEnd([passport.prepared, ...(ancestry?.prepared ?? [])]);
    if (end - instant < LEAST_MS) return unavailable('time');
    if (bind && record.proof_kid === null) return unavailable('proof');
    // Rejects where the clock of this node is off: its instants would be wrong.
    await clockWatch.storeNow();
    const digest = hashing.sha256Hex(canonicalJson(wholeIntent(intent)));
    const latest = Math.floor(Math.min(Math.floor(instant / 1_000) + seconds, end / 1_000));
    const { domain } = passport.prepared.passport;
    const log = logState.trees.get(passport.account_id);
    const terms: KeptTerms = { exp: latest, ...(log !== undefined && { log }) };
    return {
      terms,
      audience,
      sign(first, keptTerms = terms) {
        const exp = Math.min(keptTerms.exp, latest);
        const claims = claimsOf(first, { ...keptTerms, domain, audience, bind, digest, exp });
        return signWithin(() => tokens.sign(PERMIT_TYPE, claims), {
          deadlines,
          maxLength: MAX_PERMIT_LENGTH,
        });
      },
    };
  };
}

/** Returns `true` if the account of a passport may sign for its domain. */
export type MaySign = (passport: KnownPassport) => Promise<boolean>;

/** Creates the check of the right to sign. The result is cached for at most 800 ms. */
export function rememberedRight(context: Needs): MaySign {
  const { monotonic } = context.caches;
  const demandRight = createSigningRight(context);
  const cache = createBoundedMap<string, { readonly at: number; readonly may: Promise<boolean> }>(
    LEAST_RIGHTS,
  );
  return ({ account_id, prepared: { passport } }) => {
    const { domain } = passport;
    const id = `${account_id} ${domain}`;
    const atMs = monotonic();
    const last = cache.get(id);
    if (last !== undefined && atMs - last.at < FRESH_MS) return last.may;
    const may = demandRight({ account_id, domain }).then(() => true, isUnproven);
    cache.set(id, { at: atMs, may });
    // A storage that did not answer has said nothing for later questions.
    may.catch(() => cache.set(id, { at: Number.NEGATIVE_INFINITY, may }));
    return may;
  };
}

function isUnproven(error: unknown): false {
  if (error instanceof IdentityError && error.code === 'domain_unproven') return false;
  throw error;
}

/** Returns the earliest expiry of the passports. */
export function earliestEnd(passports: readonly PreparedPassport[]): number {
  const ends = passports.map(({ passport: { expires_at } }) => expires_at && parseInstant(expires_at));
  return Math.min(...ends.map((end) => end || Number.POSITIVE_INFINITY));
}

interface Claims extends KeptTerms {
  readonly domain: string;
  readonly audience: string;
  readonly bind: boolean;
  readonly digest: string;
}

/** Creates the claims from the record, so that a permit that is signed again has the same claims. */
function claimsOf(record: VerdictRecord, { domain, audience, bind, digest, exp, log }: Claims): object {
  const { environment, action, target, amount, currency, passport_version, ancestor_versions } = record;
  return {
    iss: `did:web:${domain}`,
    sub: record.agent_id,
    aud: environment === 'test' ? `${TEST_AUDIENCE}${audience}` : audience,
    iat: Math.floor((parseInstant(record.evaluated_at) as number) / 1_000),
    exp,
    jti: record.decision_id,
    ...(bind && { cnf: { jkt: record.proof_kid } }),
    permit: {
      environment,
      action,
      ...(target !== null && { target }),
      ...(amount !== null && { amount: amountText(amount) }),
      ...(currency !== null && { currency }),
      digest,
      passport_version,
      ...(ancestor_versions !== null && { ancestor_versions }),
    },
    ...(log !== undefined && { log }),
  };
}

/** Signs within the deadline of the storage. If the signer fails or is late, nothing is spent. */
export async function signWithin(
  sign: () => Promise<{ readonly token: string }>,
  { deadlines, maxLength }: { readonly deadlines: Deadlines; readonly maxLength: number },
): Promise<string> {
  try {
    const { token } = await deadlines.limit(sign);
    if (token.length > maxLength) throw new RangeError('The token would be too long.');
    return token;
  } catch (cause) {
    if (cause instanceof IdentityError && cause.code === 'storage_unavailable') throw cause;
    throw overloaded('The token could not be signed. Try again.', cause);
  }
}

function unavailable(problem: PermitObstacle): Reason {
  return { code: 'permit_unavailable', message: PERMIT_UNAVAILABLE, problem };
}
