import { importPeer } from '../lib/peers.mjs';

/** One engine per passport, with one rule: an engine with a thousand policies would look at each of them. */
export async function openGovernance(folder, passports) {
  const { PolicyEngine } = (await importPeer(folder, '@microsoft/agent-governance-sdk')).default;
  const engines = new Map(
    passports.map(({ agent_id, allowed_actions, monetary_limit_per_txn }) => {
      const actions = allowed_actions.map((action) => `'${action}'`).join(', ');
      const condition = `action in [${actions}] and amount <= ${monetary_limit_per_txn}`;
      const engine = new PolicyEngine();
      engine.loadPolicy({
        name: 'passport',
        agent: agent_id,
        scope: 'agent',
        default_action: 'deny',
        rules: [{ name: 'may', condition, ruleAction: 'allow' }],
      });
      return [agent_id, engine];
    }),
  );
  return (agent_id) => {
    const engine = engines.get(agent_id);
    return ({ action, parameters }) =>
      engine.evaluatePolicy(agent_id, { action, amount: parameters.amount }).allowed ? ALLOW : DENY;
  };
}

const ALLOW = { verdict: 'ALLOW' };
const DENY = { verdict: 'DENY' };
