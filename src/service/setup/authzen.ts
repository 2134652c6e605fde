/** Makes the AuthZEN part of a service from its options. */

import type { Authzen, AuthzenMetadata, AuthzenOptions } from '../../base/authzen.ts';
import { formatAgentId, isDomain } from '../../base/values/agent-id.ts';
import { IdentityError } from '../../errors.ts';
import type { CoreOptions } from '../options.ts';
import type { Context } from '../shared/context.ts';

/** Creates the AuthZEN part; `undefined` if it is off. Throws `invalid_configuration` for invalid options. */
export function createAuthzen(
  given: CoreOptions['authzen'],
  { publicUrl, allowLocalhost }: Pick<Context, 'publicUrl' | 'allowLocalhost'>,
): Authzen | undefined {
  if (given === undefined) return undefined;
  const { agentIdOf, subjectOf, agentDomain } = checked(given, allowLocalhost);
  return {
    agentIdOf(evaluation) {
      const { subject } = evaluation;
      const { id } = subject;
      if (id.startsWith('did:')) return id;
      const named = agentIdOf?.(subject, evaluation);
      if (named !== undefined) return named;
      return agentDomain === undefined ? id : formatAgentId({ domain: agentDomain, agent_name: id });
    },
    subjectOf: (evaluation) => subjectOf?.(evaluation),
    metadata: publicUrl?.startsWith('https:') ? metadataOf(publicUrl) : undefined,
  };
}

function checked(given: true | AuthzenOptions, allowLocalhost: boolean): AuthzenOptions {
  if (given === true) return {};
  if (typeof given !== 'object' || given === null) throw unfit(' must be true or an object.');
  const { agentIdOf, subjectOf, agentDomain, ...others } = given;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw unfit(` has no option ${JSON.stringify(stranger)}.`);
  for (const [name, option] of Object.entries({ agentIdOf, subjectOf })) {
    if (option !== undefined && typeof option !== 'function') throw unfit(`.${name} must be a function.`);
  }
  if (
    agentDomain !== undefined &&
    !(typeof agentDomain === 'string' && isDomain(agentDomain, { allowLocalhost }))
  )
    throw unfit('.agentDomain must be a domain as passports have it, such as example.com.');
  return given;
}

function metadataOf(publicUrl: string): AuthzenMetadata {
  return {
    policy_decision_point: publicUrl,
    access_evaluation_endpoint: `${publicUrl}/access/v1/evaluation`,
    access_evaluations_endpoint: `${publicUrl}/access/v1/evaluations`,
  };
}

function unfit(problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `options.authzen${problem}`);
}
