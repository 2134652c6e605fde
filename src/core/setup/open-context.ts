/** Creates the context of a service from its options: the storage, its caches, clocks, secrets and limits. */

import { idCounter } from '../../base/bytes/counted-ids.ts';
import { elementsOf } from '../../base/values/plain-data.ts';
import { MAX_PROOF_SECONDS, PROOF_SECONDS } from '../../base/values/proof-format.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { passwordHasher } from '../../credential/password.ts';
import { countedIds, randomText } from '../../credential/random-id.ts';
import { createSeal } from '../../credential/seal.ts';
import type { SessionTerms } from '../../credential/session.ts';
import { sessionKeyBytes } from '../../credential/session-secret.ts';
import { IdentityError, unfit } from '../../errors.ts';
import { secureRandom } from '../../platform/index.ts';
import { createElapsedClock, steadyOf } from '../../ports/elapsed-clock.ts';
import type { StorageAdapter } from '../../ports/storage.ts';
import type { Plan } from '../../records.ts';
import { defaultRules, type Rule } from '../../verdict/index.ts';
import { createPasswords } from '../accounts/passwords.ts';
import {
  type CacheLimits,
  type CoreOptions,
  DEFAULT_PLANS,
  type JournalMode,
  type PlanLimits,
} from '../options.ts';
import { boundLog } from '../shared/bounded-log.ts';
import { type Context, type ProofTerms, type SafeMetrics, safeMetrics } from '../shared/context.ts';
import { openLogState } from '../shared/log-state.ts';
import { EVENT_DAYS } from '../shared/outbox.ts';
import { sealingSecrets } from '../shared/sealing-secrets.ts';
import { awaitedAfter, systemAfter } from '../shared/timers.ts';
import { openCaches } from '../storage/caches.ts';
import { createClockWatch } from '../storage/clock-watch.ts';
import { createSecretWatch, secretsOf } from '../storage/secret-watch.ts';
import { createStorageGuard, type StorageGuard } from '../storage/storage-guard.ts';
import { createStorageWatch } from '../storage/storage-watch.ts';
import { openStore } from '../storage/store.ts';
import type { CheckedServiceOptions } from './checked-options.ts';

const NAME = 'agent-identity-service';

export interface OpenContext {
  readonly context: Context;
  /** Closes the storage. Later calls reject, so first close all parts that write. */
  close(): Promise<void>;
}

export function openContext(options: CheckedServiceOptions): OpenContext {
  const { session, storage } = options;
  const clock = options.clock ?? { now: Date.now };
  const random = options.random ?? secureRandom;
  const [, ...previousSecrets] = secretsOf(options);
  // Without logins of its own, the nodes of a service share the secret of their keys.
  const sealing = session === undefined ? sealingSecrets(options) : secretsOf(options);
  const [secret = random.bytes(32), ...previous] = sealing.map((text) => new TextEncoder().encode(text));
  const deadlineMs = options.storageDeadlineMs ?? 1_000;
  const schedule = options.after ?? systemAfter;
  const { log, close: closeLog } = boundLog(options.log ?? (() => {}), schedule);
  const metrics = options.metrics && safeMetrics(options.metrics, log);
  const { guard, isStorageUp } = openGuard(deadlineMs, metrics);
  let isClosed = false;
  const settle: StorageGuard = (kind, call) => (isClosed ? Promise.reject(closedError()) : guard(kind, call));
  const elapsedClock = createElapsedClock(clock);
  const { store: plainStore, caches } = openCaches({
    storage,
    store: openStore(storage, settle),
    deadlineMs,
    monotonic: elapsedClock.elapsed,
    isStrict: options.consistency === 'strict',
    ...checkedCache(options.cache),
  });
  const { publicUrl } = options.identity;
  const clockOk = options.clockOk === true;
  const { store, logState } = openLogState(plainStore, clock);
  const clockWatch = createClockWatch({
    // A clock that includes sleep is derived from the same clock and would hide that it was set.
    store,
    clock,
    monotonic: steadyOf(clock),
    after: schedule,
    log,
    clockOk,
  });
  const watch = { doubtClock: clockWatch.doubt, metrics, log, elapsed: elapsedClock.elapsed };
  const stopObserving = storage.observe?.(createStorageWatch(watch));
  const context: Context = {
    store,
    caches,
    subscribe: (listener) => storage.subscribe?.(listener) ?? (() => {}),
    clock,
    elapsedClock,
    clockWatch,
    random,
    nextEventName: idCounter(randomText(8, random)),
    decisionIds: countedIds('dec', random),
    secretWatch: createSecretWatch({ store, clock }, random, options),
    passwords: createPasswords(options.passwordHasher ?? passwordHasher(), {
      concurrency: checkedPasswordConcurrency(options.passwordConcurrency),
      after: options.after ?? awaitedAfter,
    }),
    seal: createSeal(secret, ...previous),
    session: session && checkedSession({ issuer: NAME, audience: NAME, ...session, previousSecrets }),
    plans: checkedPlans(options.plans),
    defaultPlan: options.defaultPlan ?? 'starter',
    registration: options.registration ?? 'closed',
    allowLocalhost: options.allowLocalhost ?? false,
    claimsDomains: options.domainProof !== 'off',
    publicUrl,
    logState,
    proofTerms: checkedProofTerms(publicUrl, options),
    provesDomains: checkedDomainProof(options),
    domainProver: options.domainProver,
    ...checkedDays(options),
    limitsRates: options.rateLimits !== 'off',
    after: schedule,
    awaitedAfter: options.after ?? awaitedAfter,
    metrics,
    isStorageUp,
    log,
    deadlineMs,
  };
  return {
    context,
    async close() {
      stopObserving?.();
      await clockWatch.stop();
      closeLog();
      isClosed = true;
      await store.close();
    },
  };
}

function openGuard(deadlineMs: number, metrics: SafeMetrics | undefined) {
  let isUp = true;
  const guard = createStorageGuard(
    deadlineMs,
    metrics &&
      ((kind, seconds, isAnswered = isUp) => {
        isUp = isAnswered;
        metrics.onStorage(kind, seconds);
      }),
  );
  return { guard, isStorageUp: () => isUp };
}

function closedError(): IdentityError {
  return new IdentityError('storage_unavailable', 'The service is closed.');
}

const MAX_AUDIENCES = 20;
const MAX_AUDIENCE_LENGTH = 512;

function checkedSession(terms: SessionTerms): SessionTerms {
  for (const secret of [terms.secret, ...(terms.previousSecrets ?? [])]) sessionKeyBytes(secret);
  return terms;
}

function checkedProofTerms(
  publicUrl: string | undefined,
  { proofAudiences = [], proofMaxSeconds = PROOF_SECONDS }: CoreOptions,
): ProofTerms {
  if (
    !Array.isArray(proofAudiences) ||
    proofAudiences.length > MAX_AUDIENCES ||
    !proofAudiences.every(isAudience)
  ) {
    throw unfit(
      `options.proofAudiences must be at most ${MAX_AUDIENCES} texts of 1 to ${MAX_AUDIENCE_LENGTH} characters.`,
    );
  }
  const range = { from: 1, to: MAX_PROOF_SECONDS };
  return {
    audiences: [...(publicUrl === undefined ? [] : [publicUrl]), ...proofAudiences],
    maxSeconds: wholeNumber('options.proofMaxSeconds', proofMaxSeconds, range),
  };
}

function isAudience(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && text.length <= MAX_AUDIENCE_LENGTH;
}

// Checks options that have a default or a range, and returns the values for the service.

export function checkedRules(rules: readonly Rule[] = defaultRules): readonly Rule[] {
  if (rules === defaultRules) return rules;
  // A copy, so that no rule can be removed later. It uses no method of the list, which the host may have overridden.
  const copy = Array.isArray(rules) ? Object.freeze(elementsOf(rules) as Rule[]) : [];
  const wrongPlace = copy.findIndex((rule) => typeof rule !== 'function');
  if (wrongPlace >= 0) {
    throw unfit(`options.rules[${wrongPlace}] is not a function.`);
  }
  if (defaultRules.every((rule) => copy.includes(rule))) return copy;
  throw unfit('options.rules lacks a default rule. Pass [...defaultRules, yourRule].');
}

export function checkedCache({
  maxEntries = 100_000,
  maxBytes = 64 * 1024 * 1024,
}: Partial<CacheLimits> = {}): CacheLimits {
  if ([maxEntries, maxBytes].every((limit) => Number.isSafeInteger(limit) && limit > 0))
    return { maxEntries, maxBytes };
  throw unfit('options.cache must hold positive whole numbers.');
}

function checkedPlans(input: CoreOptions['plans'] = {}): Readonly<Record<Plan, PlanLimits>> {
  const numbersOf = (plan: Plan): PlanLimits => ({ ...DEFAULT_PLANS[plan], ...input[plan] });
  return {
    starter: numbersOf('starter'),
    team: numbersOf('team'),
    enterprise: numbersOf('enterprise'),
  };
}

const MAX_RETENTION_DAYS = 36_500;

export function checkedJournal(mode: JournalMode, storage: StorageAdapter): JournalMode {
  const { strictRefusal } = storage.journal;
  if (mode === 'batched' || strictRefusal === undefined) return mode;
  const message = `The storage ${storage.name} takes no options.journal strict. ${strictRefusal}`;
  throw unfit(message);
}

/**
 * Returns the days for which verdicts and changes are kept. Changes are kept at least as long as streams can resume.
 */
function checkedDays({
  retentionDays = 90,
  auditDays = 365,
}: CoreOptions): Pick<Context, 'retentionDays' | 'auditDays'> {
  const maximum = MAX_RETENTION_DAYS;
  return {
    retentionDays: wholeNumber('options.retentionDays', retentionDays, { from: 1, to: maximum }),
    auditDays: wholeNumber('options.auditDays', auditDays, { from: EVENT_DAYS, to: maximum }),
  };
}

const MAX_PASSWORDS = 64;

function checkedPasswordConcurrency(concurrency = 1): number {
  return wholeNumber('options.passwordConcurrency', concurrency, { from: 1, to: MAX_PASSWORDS });
}

/**
 * Throws if domains can be verified, but the capability `domains()` is missing. Without it, nothing would
 * check a verified domain again. The domain would count as verified even after its token is gone.
 */
export function assertChecked(
  { domainProof, domainProver }: CoreOptions,
  capabilities: ReadonlySet<string>,
): void {
  if (capabilities.has('domains') || (domainProof !== 'required' && domainProver === undefined)) return;
  const message =
    'options.domainProver and domainProof required need domains(): list it in options.capabilities.';
  throw unfit(message);
}

function checkedDomainProof({ domainProof, domainProver }: CoreOptions): boolean {
  if (domainProof !== 'required') return false;
  if (domainProver !== undefined) return true;
  const message =
    'options.domainProof required needs options.domainProver, such as nodeDomainProver() of agent-identity-service/node.';
  throw unfit(message);
}
