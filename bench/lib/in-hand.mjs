import { decide, prepare } from 'agent-identity-service/verdict';
import { answering, ownCode } from './rounds.mjs';
import { EVALUATED_AT as at } from './work.mjs';

/** Returns a contestant for which the data of each agent is prepared in advance. `evaluatorOf` is called once per agent. */
export function inHand(name, texts, evaluatorOf) {
  const agents = texts.map((text) => JSON.parse(text).agent_id);
  const evaluators = new Map([...new Set(agents)].map((agent_id) => [agent_id, evaluatorOf(agent_id)]));
  const each = agents.map((agent_id) => evaluators.get(agent_id));
  return answering(name, ownCode('each', 'return (intent, index) => each[index](intent)')(each));
}

/** Returns the `evaluatorOf` of `inHand` that decides with prepared passports. */
export function preparedEvaluators(passports) {
  const prepared = new Map(passports.map((passport) => [passport.agent_id, prepare(passport)]));
  return (agent_id) => {
    const passport = prepared.get(agent_id);
    return (intent) => decide({ passport, intent, at });
  };
}

/** Returns the `evaluatorOf` of `inHand` that decides for child agents whose parent has the same passport fields. */
export function childEvaluators(passports) {
  const evaluators = new Map(
    passports.map((passport) => {
      const parent_agent_id = `${passport.agent_id}-parent`;
      const child = prepare({ ...passport, parent_agent_id });
      const ancestors = [prepare({ ...passport, agent_id: parent_agent_id })];
      return [passport.agent_id, (intent) => decide({ passport: child, ancestors, intent, at })];
    }),
  );
  return (agent_id) => evaluators.get(agent_id);
}

/** Returns the `evaluatorOf` of `inHand` that uses compiled baselines. */
export function evaluatorsOf(passports, make) {
  const evaluators = new Map(passports.map((passport) => [passport.agent_id, make(passport)]));
  return (agent_id) => evaluators.get(agent_id);
}
