/** Takes for an `ALLOW` that carries a token. The core does not import this file: capabilities that sign do. */

import type { Deadlines } from '../../base/async/deadlines.ts';
import { parseInstant } from '../../base/values/instant.ts';
import { IdentityError, overloaded } from '../../errors.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import type { Ancestry, KnownPassport } from '../storage/caches.ts';
import type { KeptTerms } from './replays.ts';
import type { Taken, ToTake } from './takings.ts';

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

/** The functions that `takePermitted` calls. */
export interface PermittedParts {
  readonly planPermit: PlanPermit;
  readonly take: (toTake: ToTake) => Promise<Taken>;
  readonly now: () => number;
}

/**
 * Spends for an intent that asks for a permit. The permit is signed first, so that nothing is spent if signing fails.
 * If the verdict becomes `DENY`, the permit is discarded.
 */
export async function takePermitted(parts: PermittedParts, toTake: ToTake): Promise<Taken> {
  const { planPermit, take } = parts;
  const { record, intent, found: passport, ancestry } = toTake;
  const withoutPermit = async (evaluatedRecord: VerdictRecord): Promise<Taken> => {
    return { ...(await take({ ...toTake, record: evaluatedRecord })), permit: null };
  };
  if (record.verdict === 'DENY' || passport === undefined) return withoutPermit(record);
  const plan = await planPermit({ record, intent, found: passport, ancestry });
  if ('code' in plan) return withoutPermit({ ...record, verdict: 'DENY', reasons: [plan satisfies Reason] });
  if (record.dry_run) return withoutPermit(record);
  const token = await plan.sign(record);
  const permittedRecord = { ...record, permit_audience: plan.audience };
  const result = await take({ ...toTake, record: permittedRecord, permitTerms: plan.terms });
  if (result.record.verdict === 'DENY') {
    return { ...result, record: { ...result.record, permit_audience: null }, permit: null };
  }
  if (result.record.decision_id === record.decision_id) return { ...result, permit: token };
  return { ...result, permit: await signedAgain(plan, result, parts.now()) };
}

/**
 * Signs the permit of the first answer again, with the same id and no later end. Returns `null` if the permit has
 * expired.
 */
async function signedAgain(plan: PlannedPermit, { record, permitTerms }: Taken, now: number) {
  if (permitTerms === undefined || permitTerms.exp * 1_000 <= now) return null;
  return plan.sign(record, permitTerms);
}

/** Returns the earliest expiry of the passports. */
export function earliestEnd(passports: readonly PreparedPassport[]): number {
  const ends = passports.map(({ passport: { expires_at } }) => expires_at && parseInstant(expires_at));
  return Math.min(...ends.map((end) => end || Number.POSITIVE_INFINITY));
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
