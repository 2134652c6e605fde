/** Finds the agent that requests a token: by its own credential, as a workload, or for a user. */
import { issuerOf } from '../base/values/access-token.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import type { MadePart, Taking } from '../core/spending/spending.ts';
import type { Clock } from '../ports/storage.ts';
import type { AccessTokenRequest } from '../records/access-token.ts';
import type { AgentAuthentication, AuthenticatedAgent } from './authenticate-agent.ts';
import type { AgentOfKey, NamedAgent } from './authenticate-key.ts';
import type { Grants } from './grants.ts';
import type { TokenUser } from './plan-token.ts';
import { invalidGrant, type ReadAssertion, readAssertion, resourceOf, userLimits } from './read-assertion.ts';
import {
  type AgentCredential,
  invalidClient,
  invalidTarget,
  type ReadRequest,
  readTokenRequest,
  refused,
} from './read-request.ts';

/** The agent of a token request with the requested resource, actions and user. */
export interface TokenClient extends AuthenticatedAgent {
  readonly key?: KeyCaller;
  readonly resource: string;
  readonly actions: readonly string[] | undefined;
  readonly user: TokenUser | undefined;
  readonly jkt: string | undefined;
  /** The steps that use up the assertion of a trusted issuer. */
  readonly takings: readonly Taking[];
  readonly made: MadePart | undefined;
}

export type TokenClients = (request: AccessTokenRequest) => Promise<TokenClient>;

export interface ClientParts {
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly authentication: AgentAuthentication;
  readonly byKey: (namedAgent: NamedAgent) => Promise<AgentOfKey>;
  readonly grants: Grants;
}

const NO_GRANT = { user: undefined, jkt: undefined, takings: [], made: undefined } as const;

export function createTokenClients({
  publicUrl,
  clock,
  authentication,
  byKey,
  grants,
}: ClientParts): TokenClients {
  async function authenticated(
    credential: AgentCredential | undefined,
    { domain, request_id = null }: AccessTokenRequest,
  ): Promise<AuthenticatedAgent & { readonly key?: KeyCaller }> {
    if (credential === undefined) throw invalidClient();
    if ('assertion' in credential) return authentication.byAssertion(credential, domain);
    return { ...(await byKey({ ...credential, domain, request_id })), proof: undefined };
  }

  async function workload(
    { resource, actions, credential }: ReadRequest,
    read: ReadAssertion,
    { domain, parameters: { client_id } }: AccessTokenRequest,
  ): Promise<TokenClient> {
    if (resource === undefined) throw invalidTarget();
    if (credential !== undefined) throw refused('invalid_request', 'Send one credential.');
    if (client_id === undefined) throw refused('invalid_request', 'The parameter client_id is required.');
    const grant = await grants.workload(read, client_id, domain);
    return { ...NO_GRANT, ...grant, resource, actions, proof: undefined };
  }

  async function user(
    askedRequest: ReadRequest,
    read: ReadAssertion,
    request: AccessTokenRequest,
  ): Promise<TokenClient> {
    const namedResource = resourceOf(read);
    const resource = askedRequest.resource ?? namedResource;
    if (resource === undefined) throw invalidTarget();
    const { agent: knownAgent, proof, key } = await authenticated(askedRequest.credential, request);
    const { scope, jkt } = userLimits(read, knownAgent.found?.agent_id ?? '');
    if (namedResource !== undefined && namedResource !== resource) throw invalidGrant();
    const actions =
      scope === undefined
        ? askedRequest.actions
        : askedRequest.actions?.filter((action) => scope.includes(action));
    if (actions?.length === 0) throw refused('invalid_scope', 'The assertion allows none of these actions.');
    const { agent, takings } = await grants.user(read, knownAgent);
    // A key that was removed since its check authenticates nobody.
    const { public_keys = [] } = agent.found?.prepared.passport ?? {};
    const kid = proof?.fact.state === 'valid' ? proof.fact.kid : undefined;
    if (kid !== undefined && !public_keys.some((key) => key.kid === kid)) throw invalidClient();
    const subject = { subject: read.sub, issuer: read.iss };
    return {
      agent,
      proof,
      resource,
      actions,
      user: subject,
      jkt,
      takings,
      made: undefined,
      ...(key && { key }),
    };
  }

  return async (request) => {
    const askedRequest = readTokenRequest(request);
    const { assertion, resource, actions, credential } = askedRequest;
    if (assertion === undefined) {
      if (resource === undefined) throw invalidTarget();
      return { ...NO_GRANT, resource, actions, ...(await authenticated(credential, request)) };
    }
    const issuer = issuerOf(publicUrl, request.domain);
    const read = readAssertion(assertion, { audiences: [issuer, `${issuer}/token`], at: clock.now() });
    return read.use === 'user' ? user(askedRequest, read, request) : workload(askedRequest, read, request);
  };
}
