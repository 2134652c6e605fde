/** Checks options that have a default or a range, and returns the values for the service. */
import { elementsOf } from '../../base/values/plain-data.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { unfit } from '../../errors.ts';
import type { StorageAdapter } from '../../ports/storage.ts';
import type { Plan } from '../../records.ts';
import { defaultRules, type Rule } from '../../verdict/index.ts';
import {
  type CacheLimits,
  type CoreOptions,
  DEFAULT_PLANS,
  type JournalMode,
  type PlanLimits,
} from '../options.ts';
import type { Context } from '../shared/context.ts';
import { EVENT_DAYS } from '../shared/outbox.ts';

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

export function checkedPlans(input: CoreOptions['plans'] = {}): Readonly<Record<Plan, PlanLimits>> {
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
export function checkedDays({
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

export function checkedPasswordConcurrency(concurrency = 1): number {
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

export function checkedDomainProof({ domainProof, domainProver }: CoreOptions): boolean {
  if (domainProof !== 'required') return false;
  if (domainProver !== undefined) return true;
  const message =
    'options.domainProof required needs options.domainProver, such as nodeDomainProver() of agent-identity-service/node.';
  throw unfit(message);
}
