import { elementsOf, plainCopy } from '../base/plain-data.ts';
import type { Passport } from '../records.ts';
import { type Policy, policyOf } from './policy.ts';
import { attempt, ownText } from './read.ts';

/** Held by what `prepare` made and pointing back at it, so that no copy, proxy or look-alike passes for it. */
const itself: unique symbol = Symbol();

/** A passport made ready for fast verdicts. Only `prepare` makes one. */
export interface PreparedPassport {
  /** The passport as it was given. */
  readonly passport: Passport;
  readonly [itself]: unknown;
}

/** @internal What is behind a `PreparedPassport`; `undefined` stands for what could not be read. */
export interface Preparation extends PreparedPassport {
  readonly agent_id: string | undefined;
  readonly account_id: string | undefined;
  /** Without it every verdict is a DENY. */
  readonly policy: Policy | undefined;
  /** The copy that rules of a host see, from which the policy is then read. Without it every verdict with them is a DENY. */
  readonly shown: Passport | undefined;
}

/**
 * The passport with all work done that its verdicts share: once per version, then as often as asked. Never
 * throws: a passport that cannot be read denies. Later changes to the passport are not seen.
 */
export function prepare(passport: Passport): PreparedPassport {
  return isPreparation(passport) ? passport : newPreparation(passport, copyOf(passport));
}

/** @internal The same for a passport that is deeply frozen plain data: neither it nor its lists are copied. */
export function prepareFrozen(passport: Passport): PreparedPassport {
  return newPreparation(passport, passport);
}

/** @internal What `prepare` made of the passport; for a plain one it is made now, without a copy for rules of a host. */
export function preparationOf(passport: Passport | PreparedPassport): Preparation {
  return isPreparation(passport) ? passport : newPreparation(passport, undefined);
}

function copyOf(passport: unknown): Passport | undefined {
  return attempt(() => plainCopy(passport) as Passport);
}

/** A function of its own, so that no verdict on a prepared passport pays for the closures in it. */
function newPreparation(passport: Passport | PreparedPassport, shown: Passport | undefined): Preparation {
  // The policy is read from the copy: a passport with getters could answer differently each time.
  const read = shown ?? (passport as Passport);
  const preparation = {
    passport: passport as Passport,
    agent_id: attempt(() => ownText(read, 'agent_id')),
    account_id: attempt(() => ownText(read, 'account_id')),
    policy: attempt(() => policyOf(read, shown ? asItIs : elementsOf)),
    shown,
    [itself]: undefined as unknown,
  };
  preparation[itself] = preparation;
  return Object.freeze(preparation) as Preparation;
}

/** The lists of a frozen copy never change. The cache of the service holds each of them once. */
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
