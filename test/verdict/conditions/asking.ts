/** How the tests of conditions ask, and what they compare of the answer. */
import type { OwnedPassport } from '../../../src/testing/arbitraries.ts';
import type { Intent, Reason } from '../../../src/verdict/index.ts';
import { PASSPORT } from '../../support/question.ts';
import type { Condition } from './reference.ts';

const CODES = ['parameter_required', 'parameter_not_allowed'];

/** What of a reason is compared: for a condition all its facts. */
export type Told = Readonly<Record<string, unknown>>;

/** A passport that denies nothing but what its conditions deny. */
export function passportWith(conditions: readonly Condition[], fields: object = {}): OwnedPassport {
  const open = { allowed_actions: ['*'], monetary_limit_per_txn: '1000000000000000' };
  return { ...PASSPORT, ...open, conditions, ...fields } as OwnedPassport;
}

/** The intent of its agent; without parameters where they are `undefined`. */
export function intentOf(action: string, parameters: unknown, agent_id: string = PASSPORT.agent_id): Intent {
  return { agent_id, action, ...(parameters !== undefined && { parameters }) } as Intent;
}

export function isOfCondition({ code, ...facts }: Reason): boolean {
  return CODES.includes(code) || CODES.includes(String(facts['reason']));
}

/** Each reason in its order: a code, and for a condition every fact. */
export function toldBy(reasons: readonly Reason[]): readonly Told[] {
  return reasons.map(({ message: _, ...reason }) =>
    isOfCondition({ message: '', ...reason }) ? reason : { code: reason.code },
  );
}
