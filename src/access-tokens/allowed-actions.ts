/** Finds the actions that a token may have in its scope. */
import { resourceTarget } from '../base/values/access-token.ts';
import type { FoundAgent } from '../core/verification/ancestries.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import type { Intent } from '../records.ts';
import { decide, type PreparedPassport, type Rule } from '../verdict/index.ts';
import { readsParametersOn, takingsIn } from '../verdict/takings.ts';

export interface AskedActions {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly subject?: string | undefined;
  readonly caller: VerifyCaller;
  /** The instant of the evaluation, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * Returns the actions that the agent may take at this target unconditionally. It leaves out an action if a
 * passport limits its parameters or its number, or requires an approval for it.
 */
export type AllowedActions = (agent: FoundAgent, actions: AskedActions) => readonly string[];

export function createAllowedActions(rules: readonly Rule[]): AllowedActions {
  return ({ found, ancestry }, { actions, resource, subject, caller, at }) => {
    if (found === undefined) return [];
    const ancestors = ancestry?.prepared;
    const chain: readonly PreparedPassport[] = [found.prepared, ...(ancestors ?? [])];

    return actions.filter((action) => {
      if (chain.some((passport) => readsParametersOn(passport, action))) return false;
      const intent: Intent = {
        agent_id: found.agent_id,
        action,
        target: resourceTarget(resource),
        ...(subject !== undefined && { subject }),
      };
      if (takingsIn(chain, intent).length > 0) return false;
      // It takes from no budget, so that what was spent has no influence.
      const question = {
        passport: found.prepared,
        intent,
        at,
        caller,
        budgets: {},
        ...(ancestors && { ancestors }),
      };
      return decide(question, rules).verdict === 'ALLOW';
    });
  };
}
