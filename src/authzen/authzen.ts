/** Creates the AuthZEN part of a service from its options. */

import type { Authzen, AuthzenMetadata, AuthzenOptions } from '../base/authzen.ts';
import type { OptionNames } from '../base/known-options.ts';
import { formatAgentId, isDomain } from '../base/values/agent-id.ts';
import type { Context } from '../core/shared/context.ts';
import { IdentityError } from '../errors.ts';

export const AUTHZEN_NAMES: OptionNames<AuthzenOptions> = {
  agentIdOf: true,
  subjectOf: true,
  agentDomain: true,
  check: true,
};

export function createAuthzen(
  options: AuthzenOptions,
  { publicUrl, allowLocalhost }: Pick<Context, 'publicUrl' | 'allowLocalhost'>,
): Authzen {
  const { agentIdOf, subjectOf, agentDomain, check } = checked(options, allowLocalhost);
  return {
    agentIdOf(evaluation) {
      const { subject } = evaluation;
      const { id } = subject;
      if (id.startsWith('did:')) return id;
      const namedAgentId = agentIdOf?.(subject, evaluation);
      if (namedAgentId !== undefined) return namedAgentId;
      return agentDomain === undefined ? id : formatAgentId({ domain: agentDomain, agent_name: id });
    },
    subjectOf: (evaluation) => subjectOf?.(evaluation),
    check,
    metadata: publicUrl?.startsWith('https:') ? metadataOf(publicUrl) : undefined,
  };
}

function checked(options: AuthzenOptions, allowLocalhost: boolean): AuthzenOptions {
  const { agentIdOf, subjectOf, agentDomain, check } = options;
  if (check !== undefined && check !== 'path' && check !== 'forwarded')
    throw unfit('.check must be path or forwarded.');
  for (const [name, option] of Object.entries({ agentIdOf, subjectOf })) {
    if (option !== undefined && typeof option !== 'function') throw unfit(`.${name} must be a function.`);
  }
  if (
    agentDomain !== undefined &&
    !(typeof agentDomain === 'string' && isDomain(agentDomain, { allowLocalhost }))
  )
    throw unfit('.agentDomain must be a domain as passports have it, such as example.com.');
  return options;
}

function metadataOf(publicUrl: string): AuthzenMetadata {
  return {
    policy_decision_point: publicUrl,
    access_evaluation_endpoint: `${publicUrl}/access/v1/evaluation`,
    access_evaluations_endpoint: `${publicUrl}/access/v1/evaluations`,
  };
}

function unfit(problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `authzen${problem}`);
}
