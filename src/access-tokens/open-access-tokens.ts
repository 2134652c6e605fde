import {
  ACCESS_TOKEN_SECONDS,
  ASSERTION_ALGORITHMS,
  issuerOf,
  resourceTarget,
  TOKEN_ACTION,
  USER_PROFILE,
} from '../base/values/access-token.ts';
import { wholeNumber } from '../base/values/whole-number.ts';
import type { Core, OpenCapability } from '../core/capabilities/capability.ts';
import { rememberedRight } from '../core/domains/signing-right.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import { logChange, logSecurityEvent } from '../core/shared/security-log.ts';
import { untilWritten } from '../core/storage/store.ts';
import type { FoundAgent } from '../core/verification/ancestries.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import { IdentityError } from '../errors.ts';
import type { AccessTokenAnswer, AccessTokenRequest, IssuerMetadata } from '../records/access-token.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { DpopProof } from '../tokens/proof/dpop-proof.ts';
import type { AccessTokenOptions, AccessTokens } from './access-tokens.ts';
import {
  createAgentAuthentication,
  createKeyAuthentication,
  createKeyLookup,
  limitedChecks,
} from './authenticate.ts';
import { createIntrospection } from './introspect.ts';
import { createAllowedActions, createIssue, createTokenPlans } from './issue.ts';
import { invalidGrant } from './read-assertion.ts';
import { GRANT_TYPES, invalidClient, refused } from './read-request.ts';
import { createGrants, createTokenClients, GRANT_REPLAYED, type TokenClient } from './token-clients.ts';

export function openAccessTokens(core: Core, options: AccessTokenOptions): OpenCapability {
  const { publicUrl } = core;
  const [tokens, places] = [core.offered('tokens'), core.demanded('publicPlaces')];
  if (publicUrl === undefined || tokens === undefined) {
    const message = 'accessTokens() needs identity({ publicUrl }): it is part of every issuer.';
    throw new IdentityError('invalid_configuration', message);
  }
  const { least: start, most: end } = ACCESS_TOKEN_SECONDS;
  const seconds = wholeNumber('options.seconds', options.seconds ?? end, { from: start, to: end });
  const [maySign, allowedActions] = [rememberedRight(core), createAllowedActions(core.rules)];
  const planToken = createTokenPlans(core, { tokens, publicUrl, seconds, maySign, allowedActions });
  const [findKey, issuing] = [createKeyLookup(core, places), createIssue(core)];
  const checks = limitedChecks();
  const authentication = createAgentAuthentication(core, { publicUrl, places, checks, issue: issuing });
  const byKey = createKeyAuthentication(issuing, findKey);
  const grants = createGrants(core, { places, checks, fetch: options.fetch, issue: issuing });
  const clientOf = createTokenClients({ publicUrl, clock: core.clock, authentication, byKey, grants });
  const count = countedBy(core);

  async function issue(request: AccessTokenRequest): Promise<AccessTokenAnswer> {
    try {
      const answer = await untilWritten(() => attempt(request));
      core.metrics?.onToken('issued');
      return answer;
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'token_refused') tellRefusal(core, error, request);
      throw error;
    }
  }

  /**
   * Tries to issue a token. Returns `undefined` if another request has just created the same agent, so that the caller
   * tries again.
   */
  async function attempt(request: AccessTokenRequest): Promise<AccessTokenAnswer | undefined> {
    const { domain, dpop, request_id = null, trace_id = null } = request;
    const client = await clientOf(request);
    const { agent, proof, key, resource, actions, user, takings, made } = client;
    const boundProof = dpop === undefined ? undefined : await authentication.byDpop(dpop, domain);
    demandBinding(client, boundProof);
    await count(agent, key);
    const caller = { request_id, trace_id, ...(key && callerOfKey(key)) };
    const { plan, granted: grants } = planToken({ resource, actions, user, jkt: boundProof?.jkt, caller });
    const intent: Intent = {
      agent_id: agent.found?.agent_id ?? '',
      action: TOKEN_ACTION,
      target: resourceTarget(resource),
      parameters: { resource },
      ...(user !== undefined && { subject: user.subject }),
    };
    const takenVerdict = await issuing.verdict({ intent, agent, caller, proof, takings, made, plan });
    if (takenVerdict.isOvertaken) return undefined;
    const token = takenVerdict.permit;
    if (typeof token !== 'string') throw refusalOf(takenVerdict.record);
    if (made !== undefined) logMade(core, agent);
    const { actions: scope, seconds: expires_in } = grants();
    return {
      access_token: token,
      token_type: boundProof === undefined ? 'Bearer' : 'DPoP',
      expires_in,
      ...(scope !== undefined && { scope: scope.join(' ') }),
    };
  }

  const room: AccessTokens = {
    issue,
    introspect: createIntrospection(core, {
      publicUrl,
      tokens,
      findKey,
      maySign,
      allowedActions,
      issue: issuing,
    }),
    metadata: (domain) => issuerMetadata(publicUrl, domain),
  };
  return { rooms: {}, hostRooms: { tokens: room } };
}

function demandBinding({ agent, jkt }: TokenClient, boundProof: DpopProof | undefined): void {
  if (jkt !== undefined && boundProof?.jkt !== jkt) throw invalidGrant();
  if (boundProof !== undefined || (agent.found?.prepared.passport.proof ?? 'optional') === 'optional') return;
  throw refused('invalid_dpop_proof', 'The passport of the agent demands a token that is bound to a key.');
}

/** Logs the passport that was created with a token in the same way as a passport that a person creates. */
function logMade(core: Core, { found }: FoundAgent): void {
  if (found === undefined) return;
  const { agent_id, account_id } = found;
  logChange(core, 'passport.created', { account_id }, { agent_id, version: 1 });
}

/** Counts and logs a refusal. The log gets only the code, because an unknown caller may have written the rest. */
function tellRefusal(core: Core, { details }: IdentityError, { request_id }: AccessTokenRequest): void {
  const reason = String(details?.['error']);
  core.metrics?.onToken(reason);
  logSecurityEvent(core, 'token.refused', { reason, request_id });
}

function callerOfKey({ account_id, agent_ids, key_id, environment }: KeyCaller): VerifyCaller {
  return { account_id, agent_ids, key_id, environment };
}

function countedBy(core: Core): (agent: FoundAgent, key: KeyCaller | undefined) => Promise<void> {
  const { monotonic, accounts } = core.caches;
  return async ({ found }, key) => {
    if (key !== undefined) {
      core.demanded('countVerifications')(key, 1);
      return;
    }
    const account_id = found?.account_id;
    if (account_id === undefined) return;
    const atMs = monotonic();
    const { value } = accounts.peek(account_id, atMs) ?? (await accounts.load(account_id, atMs));
    core.demanded('countVerifications')({ account_id, plan: value?.plan ?? core.defaultPlan }, 1);
  };
}

/** Matches the characters that OAuth permits in a description (RFC 6749 section 5.2). */
const DESCRIBED = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
const OF_TARGET: ReadonlySet<string> = new Set(['target_invalid', 'target_required', 'target_not_allowed']);

function refusalOf(record: VerdictRecord): IdentityError {
  const [first] = record.reasons;
  const id = record.decision_id;
  if (first === undefined || first.code === 'agent_not_found') return invalidClient(id);
  if (first.code === 'proof_replayed')
    return record.reasons === GRANT_REPLAYED ? invalidGrant(id) : invalidClient(id);
  if (first.code === 'token_unavailable' && first['problem'] === 'scope') {
    return refused('invalid_scope', 'The passport grants no action of the scope unconditionally.', id);
  }
  const isOfTarget = record.reasons.every(({ code }) => OF_TARGET.has(code));
  const message = DESCRIBED.test(first.message) ? first.message : 'The verdict is DENY.';
  return refused(isOfTarget ? 'invalid_target' : 'unauthorized_client', message, id);
}

/** Returns the metadata of the issuer for a domain. The headers of the request have no influence on the metadata. */
function issuerMetadata(publicUrl: string, domain: string): IssuerMetadata {
  const issuer = issuerOf(publicUrl, domain);
  return {
    issuer,
    // Not served: clients of MCP refuse metadata without it.
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    introspection_endpoint: `${issuer}/introspect`,
    jwks_uri: `${issuer}/jwks.json`,
    response_types_supported: [],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    dpop_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    authorization_grant_profiles_supported: [USER_PROFILE],
  };
}
