/**
 * Signs permits. A permit states that one intent was allowed, and a resource may demand it before it acts.
 * The service signs the permit before it spends anything.
 */

import { createDeadlines } from '../base/async/deadlines.ts';
import { parseInstant } from '../base/values/instant.ts';
import { wholeIntent } from '../base/values/json-data.ts';
import { canonicalJson } from '../base/values/json-values.ts';
import { amountText } from '../base/values/money.ts';
import {
  MAX_PERMIT_LENGTH,
  PERMIT_SECONDS,
  PERMIT_TYPE,
  TEST_AUDIENCE,
} from '../base/values/proof-format.ts';
import { rememberedRight } from '../core/domains/signing-right.ts';
import type { Context } from '../core/shared/context.ts';
import type { KeptTerms } from '../core/verification/replays.ts';
import { earliestEnd, type PlanPermit, permitUnavailable, signWithin } from '../core/verification/takings.ts';
import { hashing } from '../platform/index.ts';
import type { PermitRequest } from '../records/permit.ts';
import type { VerdictRecord } from '../records.ts';
import type { TokenSigner } from './token-signer.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  'store' | 'caches' | 'clockWatch' | 'session' | 'registration' | 'claimsDomains' | 'logState' | 'deadlineMs'
>;

/** The minimum time in milliseconds for which the passport must still be valid. */
const LEAST_MS = 1_000;

/** Creates the function of one service that plans permits. */
export function createPermits(context: Needs, tokens: TokenSigner): PlanPermit {
  const { clockWatch, deadlineMs, logState } = context;
  const maySign = rememberedRight(context);
  const deadlines = createDeadlines(deadlineMs, () => new Error('The signer is too late.'));

  return async ({ record, intent, found: passport, ancestry }) => {
    const { audience, seconds = PERMIT_SECONDS, bind = false } = intent.permit as PermitRequest;
    if (!(await maySign(passport))) return permitUnavailable('domain');
    const instant = parseInstant(record.evaluated_at) as number;
    const end = earliestEnd([passport.prepared, ...(ancestry?.prepared ?? [])]);
    if (end - instant < LEAST_MS) return permitUnavailable('time');
    if (bind && record.proof_kid === null) return permitUnavailable('proof');
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
