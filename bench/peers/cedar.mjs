import { importPeer } from '../lib/peers.mjs';

/** One cached policy set per passport; amounts in cents, because Cedar counts in whole numbers. */
export async function openCedar(folder, passports) {
  const { preparsePolicySet, statefulIsAuthorized } = (
    await importPeer(folder, '@cedar-policy/cedar-wasm/nodejs')
  ).default;
  for (const { agent_id, allowed_actions, monetary_limit_per_txn } of passports) {
    const actions = allowed_actions.map((action) => `Action::"${action}"`).join(', ');
    const limit = Math.round(monetary_limit_per_txn * 100);
    const policy = `permit(principal, action in [${actions}], resource) when { context.cents <= ${limit} };`;
    const { type } = preparsePolicySet(agent_id, { staticPolicies: policy });
    if (type !== 'success') throw new Error(`Cedar does not take ${policy}`);
  }
  const resource = { type: 'Account', id: 'any' };
  return (agent_id) =>
    ({ action, parameters }) => {
      const { type, response } = statefulIsAuthorized({
        principal: { type: 'Agent', id: agent_id },
        action: { type: 'Action', id: action },
        resource,
        context: { cents: Math.round(parameters.amount * 100) },
        preparsedPolicySetId: agent_id,
        entities: [],
      });
      return type === 'success' && response.decision === 'allow' ? ALLOW : DENY;
    };
}

const ALLOW = { verdict: 'ALLOW' };
const DENY = { verdict: 'DENY' };
