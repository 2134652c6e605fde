import { actionSet, matchesAction } from '../base/values/action.ts';
import type { Passport, Reason } from '../records.ts';

/** The conditions and rules of order of a passport that match a reason. Absent if none matches. */
export type LimitsBehind = Pick<Passport, 'conditions' | 'order'>;

/**
 * Returns the conditions and the rules of order that caused a reason, in the order of the passport. `passport` must be
 * the version that the verdict names: the passport of the agent, or of the agent that the reason names in `parent` or
 * `agent_id`. Another version may have other limits. A reason never contains the value of the intent.
 *
 * @example
 * import { limitsBehind } from 'agent-identity-service/verdict';
 *
 * const agent_id = 'did:web:example.com:agents:mailer';
 * const conditions = [{ at: '/to', email_in: ['@example.com'] }];
 * const reason = { code: 'parameter_not_allowed', message: '', at: '/to', test: 'email_in' };
 * console.log(limitsBehind(reason, 'email.send', { agent_id, conditions }).conditions?.length); // 1
 */
export function limitsBehind(
  reason: Reason,
  action: string,
  passport: Pick<Passport, 'agent_id' | 'conditions' | 'order'>,
): LimitsBehind {
  const code = reason.code === 'parent_denied' ? reason['reason'] : reason.code;
  const { at, test, order: name } = reason;
  const applies = ({ actions }: { readonly actions?: readonly string[] }): boolean =>
    actions === undefined || matchesAction(actionSet(actions), action);
  const conditions = passport.conditions?.filter((condition) => {
    if (condition.at !== at || !applies(condition)) return false;
    // A name in two spellings and too many values fail before any test.
    if (code === 'parameter_not_allowed')
      return test === 'name' || test === 'items' || Object.hasOwn(condition, `${test}`);
    return code === 'parameter_required' && condition.absent !== true;
  });
  const order = passport.order?.filter((rule) => {
    if (name !== undefined) return rule.name === name;
    const isAsked = code === 'parameter_required' || (code === 'parameter_not_allowed' && test === 'same');
    return (
      isAsked && rule.same?.includes(`${at}`) && (applies(rule) || applies(rule.needs ?? rule.forbids ?? {}))
    );
  });
  return { ...(conditions?.length && { conditions }), ...(order?.length && { order }) };
}
