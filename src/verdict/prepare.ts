import { elementsOf, plainCopy } from '../base/values/plain-data.ts';
import type { Passport } from '../records.ts';
import { type Policy, policyOf } from './policy.ts';
import { attempt, ownText } from './read.ts';

/**
 * The property in which a prepared passport refers to itself. Only the original object has this property. A copy, a
 * proxy or a similar object is not accepted as a prepared passport.
 */
const itself: unique symbol = Symbol();

/** A passport that `prepare` has prepared for fast verdicts. */
export interface PreparedPassport {
  /** The original passport. */
  readonly passport: Passport;
  readonly [itself]: unknown;
}

/** @internal The content of a `PreparedPassport`. A part that could not be read is `undefined`. */
export interface Preparation extends PreparedPassport {
  readonly agent_id: string | undefined;
  readonly account_id: string | undefined;
  readonly policy: Policy | undefined;
  /**
   * The copy of the passport for rules of the application. The policy is read from this copy. Without the copy, every
   * verdict with such rules is a `DENY`.
   */
  readonly shown: Passport | undefined;
}

/**
 * Prepares a passport for many verdicts: does the common work of the verdicts once. Never throws. If the passport
 * cannot be read, every verdict is a DENY. Later changes to the passport have no effect.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { decide, prepare } from 'agent-identity-service/verdict';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const [domain, agent_name] = ['example.com', 'reader'];
 * const may = { allowed_actions: ['orders.read'], monetary_limit_per_txn: 0 };
 * const issued = await service.passports.create({ domain, agent_name, ...may });
 * const [passport, { agent_id }] = [prepare(issued), issued];
 * const ask = (action) => decide({ passport, intent: { agent_id, action }, at: Date.now() });
 * console.log(ask('orders.read').verdict, ask('orders.delete').verdict); // ALLOW DENY
 */
export function prepare(passport: Passport): PreparedPassport {
  return isPreparation(passport) ? passport : newPreparation(passport, copyOf(passport));
}

/** @internal Prepares a passport that is deeply frozen plain data. Copies neither the passport nor its lists. */
export function prepareFrozen(passport: Passport): PreparedPassport {
  return newPreparation(passport, passport);
}

/**
 * @internal Returns the preparation of a prepared passport. Prepares a plain passport now, without a copy for rules of
 * the application.
 */
export function preparationOf(passport: Passport | PreparedPassport): Preparation {
  return isPreparation(passport) ? passport : newPreparation(passport, undefined);
}

function copyOf(passport: unknown): Passport | undefined {
  return attempt(() => plainCopy(passport) as Passport);
}

/**
 * Creates a preparation. The function is separate, so that verdicts on prepared passports do not create these closures.
 */
function newPreparation(
  passport: Passport | PreparedPassport,
  shownPassport: Passport | undefined,
): Preparation {
  // The policy is read from the copy: a passport with getters could answer differently each time.
  const read = shownPassport ?? (passport as Passport);
  const preparation = {
    passport: passport as Passport,
    agent_id: attempt(() => ownText(read, 'agent_id')),
    account_id: attempt(() => ownText(read, 'account_id')),
    policy: attempt(() => policyOf(read, shownPassport ? asItIs : elementsOf)),
    shown: shownPassport,
    [itself]: undefined as unknown,
  };
  preparation[itself] = preparation;
  return Object.freeze(preparation) as Preparation;
}

/** Returns the list itself, because the lists of a frozen copy never change. */
function asItIs(list: unknown): readonly unknown[] {
  return list as readonly unknown[];
}

function isPreparation(value: Passport | PreparedPassport): value is Preparation {
  try {
    return (value as PreparedPassport)[itself] === value;
  } catch {
    return false;
  }
}
