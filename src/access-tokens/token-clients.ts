/** Finds the agent that requests a token: by its own credential, as a workload, or for a user. */

import { issuerOf } from '../base/values/access-token.ts';
import { formatAgentId, parseAgentId } from '../base/values/agent-id.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import { isSameJson } from '../base/values/json-values.ts';
import { isTrustedSubject } from '../base/values/trusted-issuer.ts';
import type { Core } from '../core/capabilities/capability.ts';
import { type MakingRefusals, planWorkload, workloadName } from '../core/passports/workload-passport.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import type { MadePart, Taking } from '../core/spending/spending.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import { createPublicReads, type PublicPlaces } from '../core/storage/public-reads.ts';
import { ancestryOf, type FoundAgent } from '../core/verification/ancestries.ts';
import { createProofUses } from '../core/verification/proof-check.ts';
import type { Clock } from '../ports/storage.ts';
import type { AccessTokenRequest } from '../records/access-token.ts';
import type { Reason, TrustedIssuer } from '../records.ts';
import { PROOF_REPLAYED } from '../verdict/proof.ts';
import type {
  AgentAuthentication,
  AgentOfKey,
  AuthenticatedAgent,
  NamedAgent,
  SignatureChecks,
} from './authenticate.ts';
import { type Issue, type TokenUser, tokenUnavailable } from './issue.ts';
import { invalidGrant, type ReadAssertion, readAssertion, resourceOf, userLimits } from './read-assertion.ts';
import {
  type AgentCredential,
  invalidClient,
  invalidTarget,
  type ReadRequest,
  readTokenRequest,
  refused,
} from './read-request.ts';
import { createTrustedSignatures } from './trusted-signatures.ts';

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
    const actions = askedRequest.actions?.filter((action) => scope === undefined || scope.includes(action));
    if (actions?.length === 0) throw refused('invalid_scope', 'The assertion allows none of these actions.');
    const { agent, takings } = await grants.user(read, knownAgent);
    // A key that was removed since its check authenticates nobody.
    const { public_keys = [] } = agent.found?.prepared.passport ?? {};
    const fact = proof?.fact;
    if (fact?.state === 'valid' && !public_keys.some(({ kid }) => kid === fact.kid)) throw invalidClient();
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

// Accepts assertions of trusted issuers. An assertion describes a workload, which is a child agent, or a user
// for whom an agent acts.

interface CheckedGrant {
  readonly agent: FoundAgent;
  /** The step that marks the assertion as used. Empty if the assertion may be used again. */
  readonly takings: readonly Taking[];
  readonly made: MadePart | undefined;
}

/**
 * Checks assertions.
 *
 * @throws {IdentityError} `token_refused` with `details.error` `invalid_grant` for every assertion that is not
 * accepted.
 */
interface Grants {
  workload(read: ReadAssertion, parent_id: string, domain: string): Promise<CheckedGrant>;
  user(read: ReadAssertion, agent: FoundAgent): Promise<CheckedGrant>;
}

/**
 * The reasons for an assertion that was used before. A replayed proof has equal reasons. The service
 * distinguishes the two by this list object, which is the same in every refusal of an assertion.
 */
export const GRANT_REPLAYED: readonly Reason[] = Object.freeze([PROOF_REPLAYED]);

const REFUSALS: MakingRefusals = {
  claimed: [tokenUnavailable('domain')],
  limit: [tokenUnavailable('agents')],
};

interface GrantOptions {
  readonly places: PublicPlaces;
  readonly checks: SignatureChecks;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly issue: Pick<Issue, 'find'>;
}

export function createGrants(
  core: Pick<
    Core,
    'caches' | 'clock' | 'nextEventName' | 'plans' | 'allowLocalhost' | 'claimsDomains' | 'auditDays'
  >,
  { places, checks, fetch, issue }: GrantOptions,
): Grants {
  const { clock, caches, allowLocalhost } = core;
  const { monotonic, accounts } = caches;
  const isSigned = createTrustedSignatures({ fetch, allowLocalhost, monotonic, checks });
  const passports = createPublicReads(caches.passports, places, monotonic);
  const useOf = createProofUses();

  async function trusted(read: ReadAssertion, passport: KnownPassport | undefined) {
    const entry = trustOf(passport, read);
    if (passport === undefined || entry === undefined || !(await isSigned(read, entry))) throw invalidGrant();
    const agent = await issue.find(passport.agent_id);
    // Keys are read in seconds: what is no longer trusted gets no token.
    if (!isSameJson(trustOf(agent.found, read), entry)) throw invalidGrant();
    return { agent, entry };
  }

  function takingsOf({ iss, jti, exp }: ReadAssertion, { reuse }: TrustedIssuer): readonly Taking[] {
    if (reuse === true) return [];
    const { change } = useOf({ jti, exp }, `assertion\n${iss}`, clock.now());
    return [{ change, refusal: GRANT_REPLAYED }];
  }

  async function childOf(
    parent: KnownPassport,
    { iss, sub }: ReadAssertion,
  ): Promise<FoundAgent | undefined> {
    const { domain } = parent.prepared.passport;
    const child = await issue.find(formatAgentId({ domain, agent_name: workloadName(iss, sub) }));
    const { found } = child;
    if (found === undefined) return undefined;
    // The name is of another agent of this domain.
    if (found.parent_agent_id !== parent.agent_id || found.account_id !== parent.account_id)
      throw invalidGrant();
    return child;
  }

  return {
    async workload(read, parent_id, domain) {
      if (parseAgentId(parent_id, { allowLocalhost: true })?.domain !== domain) throw invalidGrant();
      const { agent, entry } = await trusted(read, await passports.get(parent_id));
      const parent = agent.found as KnownPassport;
      const takings = takingsOf(read, entry);
      const child = await childOf(parent, read);
      if (child !== undefined) return { agent: child, takings, made: undefined };
      const passportsAbove = [parent, ...(agent.ancestry?.known ?? [])];
      if (passportsAbove.length > MAX_ANCESTORS)
        throw refused('unauthorized_client', 'The agent has too many agents above it to have workloads.');
      const { account_id } = parent;
      const atMs = monotonic();
      const { value } = accounts.peek(account_id, atMs) ?? (await accounts.load(account_id, atMs));
      const workload = { parent, entry, subject: read.sub, plan: value?.plan };
      const { found, made } = planWorkload(core, workload, REFUSALS);
      return { agent: { found, ancestry: ancestryOf(passportsAbove) }, takings, made };
    },

    async user(read, { found }) {
      const { agent, entry } = await trusted(read, found);
      return { agent, takings: takingsOf(read, entry), made: undefined };
    },
  };
}

function trustOf(
  passport: KnownPassport | undefined,
  { iss, use, sub }: ReadAssertion,
): TrustedIssuer | undefined {
  const entry = passport?.prepared.passport.trusted_issuers?.find(
    (issuer) => issuer.issuer === iss && issuer.use === use,
  );
  return entry !== undefined && isTrustedSubject(entry, sub) ? entry : undefined;
}
