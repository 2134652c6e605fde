/**
 * The peers that decide in this process. Each `open…` takes the folder of the peers and the passports, and returns the
 * function that decides for an agent.
 */
import { importPeer } from '../lib/peers.mjs';

const ALLOW = { verdict: 'ALLOW' };
const DENY = { verdict: 'DENY' };

/** Prepares one CASL ability per passport: a rule with all its actions and a condition on the amount. */
export async function openCasl(folder, passports) {
  const { createMongoAbility } = await importPeer(folder, '@casl/ability');
  const abilities = new Map(
    passports.map(({ agent_id, allowed_actions, monetary_limit_per_txn }) => {
      const conditions = { amount: { $lte: monetary_limit_per_txn } };
      const rules = [{ action: allowed_actions, subject: 'Payment', conditions }];
      return [agent_id, createMongoAbility(rules, { detectSubjectType: () => 'Payment' })];
    }),
  );
  return (agent_id) => {
    const ability = abilities.get(agent_id);
    return ({ action, parameters }) => (ability.can(action, parameters) ? ALLOW : DENY);
  };
}

const CASBIN_MODEL = `
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
 * Prepares one Casbin enforcer. Its matcher reads the passport as attributes of the subject. Policy lines for each
 * agent would be far slower, because Casbin reads each line.
 */
export async function openCasbin(folder, passports) {
  const { newEnforcer, newModel } = (await importPeer(folder, 'casbin')).default;
  const enforcer = await newEnforcer(newModel(CASBIN_MODEL));
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

/** Prepares one engine per passport, with one rule. A single engine would check all thousand policies each time. */
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

/** Prepares one cached policy set per passport. Amounts are in cents, because Cedar has only whole numbers. */
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
