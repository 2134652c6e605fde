/** The agents whose allowed intents all go to the service, and the cause. */
import { type ActionSet, matchesAction } from '../base/values/action.ts';
import type { KnownPassport } from '../service/storage/caches.ts';
import type { Policy } from '../verdict/policy.ts';
import { preparationOf } from '../verdict/prepare.ts';

/**
 * The cause: the passport of the agent, or one above it, has something that this version cannot read, or is older than
 * before (`passport`); it needs a proof (`proof`), counts every allowed action in a pace (`pace`) or a budget (`budget`), or needs a person
 * for every allowed action (`approval`).
 */
export type AskedCause = 'passport' | 'proof' | 'pace' | 'budget' | 'approval';

/** An agent of which the verifier allows nothing without the service. */
export interface AlwaysAsked {
  /** The `agent_id`. */
  readonly agent_id: string;
  /** The cause. */
  readonly cause: AskedCause;
}

/** Returns the cause for an agent, given its passport and those above it, nearest first; `undefined` without any. */
export function causeIn(passports: readonly KnownPassport[]): AskedCause | undefined {
  const policies = passports.flatMap(({ prepared }) => preparationOf(prepared).policy ?? []);
  const allowed = policies[0]?.allowed;
  if (allowed === undefined) return undefined;
  if (policies.some(({ proof }) => proof > 0)) return 'proof';
  if (policies.some(({ paces = [] }) => paces.some(({ actions }) => coversAll(actions, allowed))))
    return 'pace';
  if (policies.some((policy) => policy.budgets?.some((budget) => countsAll(budget, policy, allowed)))) {
    return 'budget';
  }
  return policies.some(({ approval }) => covers(approval?.actions, allowed)) ? 'approval' : undefined;
}

/** Says whether a pace counts every allowed action. */
function coversAll(actions: ActionSet | undefined, allowed: ActionSet): boolean {
  return actions === undefined || covers(actions, allowed);
}

type PolicyBudget = NonNullable<Policy['budgets']>[number];

/** Says whether a budget counts every allowed action: of a limit, those that carry an amount. */
function countsAll({ actions, currency }: PolicyBudget, { monetary }: Policy, allowed: ActionSet): boolean {
  if (actions === undefined && currency === null) return true;
  return covers(actions ?? monetary, allowed);
}

/** Says whether the set has all that is allowed. */
function covers(set: ActionSet | undefined, { exact, patterns = [] }: ActionSet): boolean {
  return (
    exact.every((action) => matchesAction(set, action)) &&
    patterns.every((prefix) => set?.patterns?.some((other) => prefix.startsWith(other)))
  );
}
