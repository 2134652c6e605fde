import { importPeer } from '../lib/peers.mjs';

const MODEL = `
[request_definition]
r = sub, act, amount
[policy_definition]
p = sub, act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = has(r.sub.actions, r.act) && r.amount <= r.sub.limit
`;

/**
 * One enforcer whose matcher reads the passport as the attributes of the subject. A policy of lines per agent
 * is far slower: each of them is looked at.
 */
export async function openCasbin(folder, passports) {
  const { newEnforcer, newModel } = (await importPeer(folder, 'casbin')).default;
  const enforcer = await newEnforcer(newModel(MODEL));
  await enforcer.addFunction('has', (actions, action) => actions.has(action));
  const subjects = new Map(
    passports.map(({ agent_id, allowed_actions, monetary_limit_per_txn }) => [
      agent_id,
      { actions: new Set(allowed_actions), limit: monetary_limit_per_txn },
    ]),
  );
  return (agent_id) => {
    const subject = subjects.get(agent_id);
    return ({ action, parameters }) =>
      enforcer.enforceSync(subject, action, parameters.amount) ? ALLOW : DENY;
  };
}

const ALLOW = { verdict: 'ALLOW' };
const DENY = { verdict: 'DENY' };
