import { decide, prepare } from 'agent-identity-service/verdict';
import { answering, ownCode } from './rounds.mjs';
import { EVALUATED_AT as at } from './work.mjs';

/** Returns a contestant for which the data of each agent is prepared in advance. `judgeOf` is called once per agent. */
export function inHand(name, texts, judgeOf) {
  const agents = texts.map((text) => JSON.parse(text).agent_id);
  const judges = new Map([...new Set(agents)].map((agent_id) => [agent_id, judgeOf(agent_id)]));
  const each = agents.map((agent_id) => judges.get(agent_id));
  return answering(name, ownCode('each', 'return (intent, index) => each[index](intent)')(each));
}

/** Returns the `judgeOf` of `inHand` that decides with prepared passports. */
export function preparedJudges(passports) {
  const prepared = new Map(passports.map((passport) => [passport.agent_id, prepare(passport)]));
  return (agent_id) => {
    const passport = prepared.get(agent_id);
    return (intent) => decide({ passport, intent, at });
  };
}

/** Returns the `judgeOf` of `inHand` that decides for child agents whose parent has the same passport fields. */
export function helperJudges(passports) {
  const judges = new Map(
    passports.map((passport) => {
      const parent_agent_id = `${passport.agent_id}-parent`;
      const helper = prepare({ ...passport, parent_agent_id });
      const ancestors = [prepare({ ...passport, agent_id: parent_agent_id })];
      return [passport.agent_id, (intent) => decide({ passport: helper, ancestors, intent, at })];
    }),
  );
  return (agent_id) => judges.get(agent_id);
}

/** Returns the `judgeOf` of `inHand` that uses compiled baselines. */
export function judgesOf(passports, make) {
  const judges = new Map(passports.map((passport) => [passport.agent_id, make(passport)]));
  return (agent_id) => judges.get(agent_id);
}
