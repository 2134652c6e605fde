/** Answers whether an access token is active (RFC 7662). A token is active if its agent would get it now. */
import {
  ACCESS_TOKEN_TYPE,
  issuerOf,
  MAX_ACCESS_TOKEN_LENGTH,
  resourceNamed,
  resourceTarget,
  TEST_RESOURCE,
  TOKEN_ACTION,
} from '../base/values/access-token.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import type { Core } from '../core/capabilities/capability.ts';
import type { MaySign } from '../core/domains/signing-right.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import { earliestEnd } from '../core/verification/takings.ts';
import { IdentityError } from '../errors.ts';
import type { TokenSigner } from '../identity/token-signer.ts';
import type { ActiveToken, Introspection, IntrospectionRequest } from '../records/access-token.ts';
import type { Environment, Intent } from '../records.ts';
import { invalidToken } from '../tokens/proof/invalid-token.ts';
import { demandSigned, type ReadToken, readToken } from '../tokens/proof/read-token.ts';
import { type Access, accessIn, demandAccessInTime } from '../tokens/read-access-token.ts';
import type { JsonMembers } from '../tokens/signing/compact.ts';
import { isSeenBy } from '../verdict/decide.ts';
import type { FindKey } from './authenticate.ts';
import type { AllowedActions, Issue } from './issue.ts';
import { invalidClient, readBasic, refused } from './read-request.ts';

export interface IntrospectionParts {
  readonly publicUrl: string;
  readonly tokens: TokenSigner;
  readonly findKey: FindKey;
  readonly maySign: MaySign;
  readonly allowedActions: AllowedActions;
  readonly issue: Issue;
}

const INACTIVE: Introspection = { active: false };
const MAX_AGE_MS = 100;

export function createIntrospection(
  core: Pick<Core, 'demanded' | 'caches' | 'clock'>,
  { publicUrl, tokens, findKey, maySign, allowedActions, issue }: IntrospectionParts,
): (request: IntrospectionRequest) => Promise<Introspection> {
  const { clock, caches } = core;

  async function verified(text: string, domain: string): Promise<VerifiedToken | undefined> {
    const issuer = issuerOf(publicUrl, domain);
    try {
      const token = readToken(text, ACCESS_TOKEN_TYPE, MAX_ACCESS_TOKEN_LENGTH);
      const namedAudience = audienceOf(token);
      const read = accessIn(token, { issuers: new Map([[issuer, domain]]), ...namedAudience });
      if (clock.now() >= read.access.expires_at * 1_000) return undefined;
      demandAccessInTime(read, clock.now());
      await demandSigned(read.token, await tokens.keys());
      return { ...namedAudience, access: read.access, claims: read.token.claims };
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'invalid_token') return undefined;
      throw error;
    }
  }

  /** Reads the agent and all its ancestors, unless memory has a state that is at most 100 ms old. */
  async function refresh(agent_id: string): Promise<void> {
    const sinceMs = caches.monotonic() - MAX_AGE_MS;
    let next: string | undefined = agent_id;
    for (let depth = 0; next !== undefined && depth <= MAX_ANCESTORS; depth += 1) {
      next = (await caches.passports.confirmed(next, sinceMs)).value?.parent_agent_id;
    }
  }

  async function grantedNow(
    { access, resource }: VerifiedToken,
    key: KeyCaller,
  ): Promise<readonly string[] | undefined> {
    await refresh(access.agent_id);
    const agent = await issue.find(access.agent_id);
    const passport = agent.found;
    const { account_id, agent_ids, environment, key_id } = key;
    if (passport === undefined) return undefined;
    if (!isSeenBy({ account_id, agent_ids }, passport.prepared)) return undefined;
    const atMs = clock.now();
    const ends = earliestEnd([passport.prepared, ...(agent.ancestry?.prepared ?? [])]);
    if (ends <= atMs || !(await maySign(passport))) return undefined;
    const intent: Intent = {
      agent_id: passport.agent_id,
      action: TOKEN_ACTION,
      target: resourceTarget(resource),
      parameters: { resource },
      ...(access.subject !== null && { subject: access.subject }),
    };
    const caller = { account_id, environment, key_id };
    // Its agent has proved its key once, by the assertion that got the token.
    const fact = { state: 'valid', kid: '', bound: false } as const;
    if (issue.evaluate({ intent, agent, caller, fact }).verdict !== 'ALLOW') return undefined;
    const subject = access.subject ?? undefined;
    return allowedActions(agent, { actions: access.scope, resource, subject, caller, at: atMs });
  }

  return async ({ domain, parameters, request_id = null, ...sentFields }) => {
    const { apiKey, key_id } = keyCredential(sentFields);
    const key = await findKey({ apiKey, request_id }, 'verify');
    if (key_id !== undefined && key_id !== key.key_id) throw invalidClient();
    const { token } = parameters;
    if (token === undefined) throw refused('invalid_request', 'The parameter token is required.');
    core.demanded('countVerifications')(key, 1);
    const read = token.length > MAX_ACCESS_TOKEN_LENGTH ? undefined : await verified(token, domain);
    if (read === undefined || read.environment !== key.environment) return INACTIVE;
    const scope = await grantedNow(read, key);
    return scope === undefined ? INACTIVE : answerOf(read, scope);
  };
}

interface Audience {
  readonly resource: string;
  readonly environment: Environment;
}

interface VerifiedToken extends Audience {
  readonly access: Access;
  readonly claims: JsonMembers;
}

function audienceOf({ claims: { aud } }: ReadToken): Audience {
  const isTest = typeof aud === 'string' && aud.startsWith(TEST_RESOURCE);
  const name =
    typeof aud === 'string' ? resourceNamed(isTest ? aud.slice(TEST_RESOURCE.length) : aud) : undefined;
  if (name === undefined) throw invalidToken('audience');
  return { resource: name, environment: isTest ? 'test' : 'live' };
}

function keyCredential({ authorization, api_key }: Pick<IntrospectionRequest, 'authorization' | 'api_key'>): {
  readonly apiKey: string;
  readonly key_id?: string;
} {
  if (authorization !== undefined && api_key !== undefined) {
    throw refused('invalid_request', 'Send one credential.');
  }
  if (api_key !== undefined) return { apiKey: api_key };
  const [scheme, bearer, suffix] = (authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer' && bearer !== undefined && suffix === undefined)
    return { apiKey: bearer };
  const [key_id, apiKey] = readBasic(authorization ?? '') ?? [];
  if (key_id === undefined || apiKey === undefined) throw invalidClient();
  return { apiKey, key_id };
}

function answerOf({ access, claims }: VerifiedToken, scope: readonly string[]): Introspection {
  const { iss, aud, sub, client_id, iat, exp, jti, cnf, act, subject_issuer } = claims;
  const members = { iss, aud, sub, client_id, iat, exp, jti };
  return {
    active: true,
    token_type: access.jkt === null ? 'Bearer' : 'DPoP',
    ...(scope.length > 0 && { scope: scope.join(' ') }),
    ...(members as Pick<ActiveToken, keyof typeof members>),
    ...(cnf !== undefined && { cnf: cnf as ActiveToken['cnf'] & object }),
    ...(act !== undefined && {
      act: act as ActiveToken['act'] & object,
      subject_issuer: subject_issuer as string,
    }),
  };
}
