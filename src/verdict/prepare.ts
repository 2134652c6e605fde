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
}

/**
 * The passport with all work done that its verdicts share: once per version, then as often as asked. Never
 * throws: a passport that cannot be read denies. Later changes to the passport are not seen.
 */
export const prepare: (passport: Passport) => PreparedPassport = preparationOf;

/** @internal What `prepare` made of the passport, or makes of it now. */
export function preparationOf(passport: Passport | PreparedPassport): Preparation {
  return isPreparation(passport) ? passport : newPreparation(passport);
}

/** By itself, so that no verdict on a prepared passport pays for the closures in it. */
function newPreparation(passport: Passport | PreparedPassport): Preparation {
  const preparation = {
    passport,
    agent_id: attempt(() => ownText(passport, 'agent_id')),
    account_id: attempt(() => ownText(passport, 'account_id')),
    policy: attempt(() => policyOf(passport as Passport)),
    [itself]: undefined as unknown,
  };
  preparation[itself] = preparation;
  return Object.freeze(preparation) as Preparation;
}

function isPreparation(value: Passport | PreparedPassport): value is Preparation {
  try {
    return (value as PreparedPassport)[itself] === value;
  } catch {
    return false;
  }
}
