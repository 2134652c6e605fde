/**
 * Provides access tokens. With a token, an agent identifies itself to an MCP server or HTTP API that has no API key of
 * the service.
 */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { AccessTokenOptions, AccessTokens } from './access-tokens.ts';
import { openAccessTokens } from './open-access-tokens.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type * from '../records/access-token.ts';
export type * from './access-tokens.ts';

/** The methods for access tokens, in the group `tokens`. */
export interface AccessTokenRooms {
  /** Issues access tokens to agents. */
  readonly tokens: AccessTokens;
}

/** The capability that `accessTokens` returns. */
export type AccessTokenCapability = Capability<AccessTokenRooms, object>;

const NAMES: OptionNames<AccessTokenOptions> = { seconds: true, fetch: true };

/**
 * Returns the capability that issues access tokens to agents. Each domain has an issuer. It needs `identity` with a
 * `publicUrl`.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { accessTokens } from 'agent-identity-service/access-tokens';
 * import { identity } from 'agent-identity-service/identity';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({
 *   storage: memoryStorage(),
 *   capabilities: [
 *     identity({ secret: 'a secret of 32 characters or more', publicUrl: 'https://id.example.com/api' }),
 *     accessTokens(),
 *   ],
 * });
 * console.log(service.tokens.metadata('example.com').issuer); // https://id.example.com/api/issuers/example.com
 */
export function accessTokens(options: AccessTokenOptions = {}): AccessTokenCapability {
  const checkedOptions = knownOptions('accessTokens', options, NAMES);
  const capability: WholeCapability<AccessTokenRooms, object> = {
    name: 'access-tokens',
    needs: ['identity'],
    operations: [],
    open: (core) => openAccessTokens(core, checkedOptions),
  };
  return capability;
}
