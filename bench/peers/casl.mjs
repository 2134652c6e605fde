import { importPeer } from '../lib/peers.mjs';

/** One ability per passport, made beforehand: a rule with all its actions and a condition on the amount. */
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

const ALLOW = { verdict: 'ALLOW' };
const DENY = { verdict: 'DENY' };
