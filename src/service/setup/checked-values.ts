/** Options that a default or a limit belongs to, as the service uses them. */
import { elementsOf } from '../../base/values/plain-data.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { IdentityError } from '../../errors.ts';
import type { StorageAdapter } from '../../ports/storage.ts';
import type { Plan } from '../../records.ts';
import { defaultRules, type Rule } from '../../verdict/index.ts';
import {
  type CacheLimits,
  DEFAULT_PLANS,
  type IdentityServiceOptions,
  type JournalMode,
  type PlanLimits,
} from '../options.ts';

/** The rules as given, or `invalid_configuration` when one of ours is missing: a host adds objections, never removes one. */
export function checkedRules(rules: readonly Rule[] = defaultRules): readonly Rule[] {
  if (rules === defaultRules) return rules;
  // A copy, so that no rule is taken away later; made without a method of the list, which may be anything.
  const copy = Array.isArray(rules) ? Object.freeze(elementsOf(rules) as Rule[]) : [];
  const stranger = copy.findIndex((rule) => typeof rule !== 'function');
  if (stranger >= 0) {
    throw new IdentityError('invalid_configuration', `options.rules[${stranger}] is not a function.`);
  }
  if (defaultRules.every((rule) => copy.includes(rule))) return copy;
  throw new IdentityError(
    'invalid_configuration',
    'options.rules lacks a default rule. Pass [...defaultRules, yourRule].',
  );
}

/** The limits of the caches, or `invalid_configuration`. */
export function checkedCache({
  maxEntries = 100_000,
  maxBytes = 64 * 1024 * 1024,
}: Partial<CacheLimits> = {}): CacheLimits {
  if ([maxEntries, maxBytes].every((limit) => Number.isSafeInteger(limit) && limit > 0))
    return { maxEntries, maxBytes };
  throw new IdentityError('invalid_configuration', 'options.cache must hold positive whole numbers.');
}

/** The numbers of all plans, those of the host first. */
export function checkedPlans(
  given: IdentityServiceOptions['plans'] = {},
): Readonly<Record<Plan, PlanLimits>> {
  const numbersOf = (plan: Plan): PlanLimits => ({ ...DEFAULT_PLANS[plan], ...given[plan] });
  return {
    starter: numbersOf('starter'),
    team: numbersOf('team'),
    enterprise: numbersOf('enterprise'),
  };
}

const MAX_RETENTION_DAYS = 36_500;

/** How verdicts are filed, or `invalid_configuration` where the storage cannot keep the promise of `strict`. */
export function checkedJournal(mode: JournalMode, storage: StorageAdapter): JournalMode {
  const { strictRefusal } = storage.journal;
  if (mode === 'batched' || strictRefusal === undefined) return mode;
  const message = `The storage ${storage.name} takes no options.journal strict. ${strictRefusal}`;
  throw new IdentityError('invalid_configuration', message);
}

/** The days of retention, or `invalid_configuration`. */
export function checkedRetention(days = 90): number {
  return wholeNumber('options.retentionDays', days, { from: 1, to: MAX_RETENTION_DAYS });
}

const MAX_PASSWORDS = 64;

/** How many passwords are hashed at a time, or `invalid_configuration`. */
export function checkedPasswordConcurrency(concurrency = 1): number {
  return wholeNumber('options.passwordConcurrency', concurrency, { from: 1, to: MAX_PASSWORDS });
}

/** Whether domains have to be proved, or `invalid_configuration` where nothing could look for a proof. */
export function checkedDomainProof({ domainProof, domainProver }: IdentityServiceOptions): boolean {
  if (domainProof !== 'required') return false;
  if (domainProver !== undefined) return true;
  const message =
    'options.domainProof required needs options.domainProver, such as nodeDomainProver() of agent-identity-service/domain-check.';
  throw new IdentityError('invalid_configuration', message);
}
