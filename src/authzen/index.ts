/** AuthZEN: serves the Authorization API 1.0 of the OpenID Foundation over HTTP. */
import type { AuthzenOptions } from '../base/authzen.ts';
import { knownOptions } from '../base/known-options.ts';
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import { AUTHZEN_NAMES, createAuthzen } from './authzen.ts';

export type { AuthzenEvaluation, AuthzenOptions } from '../base/authzen.ts';
export type { Capability } from '../core/capabilities/capability.ts';

/**
 * Returns the capability that serves `/access/v1/evaluation` and `/access/v1/evaluations`. Its metadata needs an https
 * `publicUrl` of `identity`.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { authzen } from 'agent-identity-service/authzen';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({
 *   storage: memoryStorage(),
 *   capabilities: [authzen({ agentDomain: 'example.com' })],
 * });
 * console.log(service.serving.authzen !== undefined); // true
 */
export function authzen(options: AuthzenOptions = {}): Capability {
  const checkedOptions = knownOptions('authzen', options, AUTHZEN_NAMES);
  const capability: WholeCapability = {
    name: 'authzen',
    operations: [],
    open: (core) => ({ rooms: {}, offers: { authzen: createAuthzen(checkedOptions, core) } }),
  };
  return capability;
}
