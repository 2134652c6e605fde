import { knownOptions, misconfigured, type OptionNames } from '../base/known-options.ts';
import { ASSERTION_ALGORITHMS, resourceNamed } from '../base/values/access-token.ts';
import { IdentityError } from '../errors.ts';
import { parseStrictly } from '../json/parse-strictly.ts';
import type { Environment } from '../records.ts';
import { domainOfIssuer } from './agent-tokens.ts';
import { type AccessRefusal, challengeOf } from './challenge.ts';
import { checkDpop } from './proof/dpop-proof.ts';
import type { FetchBytes } from './proof/fetch-bytes.ts';
import { invalidToken } from './proof/invalid-token.ts';
import { type GivenKeys, type IssuerKeys, jwkList, keepKeys, keysByThumbprint } from './proof/issuer-keys.ts';
import { demandSigned, thumbprintNamed } from './proof/read-token.ts';
import { type Once, rememberOnce } from './proof/remember-once.ts';
import {
  type Access,
  demandAccessInTime,
  readAccessToken,
  rememberAccess,
  type UnverifiedAccess,
} from './read-access-token.ts';

/** The trusted issuers and the name of the resource. */
export interface TokenVerifierOptions {
  /**
   * The trusted issuers, 1 to 16, such as `https://id.example.com/api/issuers/example.com`. No other issuer is trusted.
   */
  readonly issuers: readonly string[];
  /** The https URL of this resource, in the form that clients send as `resource`, such as `https://mcp.example/mcp`. */
  readonly resource: string;
  /** The environment of the tokens; default `live`. */
  readonly environment?: Environment;
  /** The keys of the issuers, a list of JWKs or a JWK set. With `keys` the verifier fetches nothing. */
  readonly keys?: GivenKeys;
  /** Fetches the keys at `<issuer>/jwks.json`, and nothing else. Default on Node: only from public addresses. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Returns the time in milliseconds since the Unix epoch, and is called for each request. Default: the current time.
   */
  readonly at?: () => number;
  /**
   * Returns whether the agent may still act, such as `service.isActive`, or `introspection({ apiKey })`. Only `true`
   * lets a request pass. If the function throws, the answer is 503. Without this function, the verifier checks only the
   * token, and refuses a revoked agent after at most 305 s.
   */
  readonly live?: (agent_id: string, token: string, issuer: string) => boolean | Promise<boolean>;
  /**
   * The memory of used DPoP proofs: `rememberOnce()`, the default, for one process, or a store that all processes
   * share.
   */
  readonly once?: Once;
  /** `false`: accepts only tokens that are bound to a key. Default: `true`. */
  readonly bearer?: boolean;
  /** The actions that the metadata lists. */
  readonly scopes_supported?: readonly string[];
  /** Creates the error of `verifyAccessToken`, such as `(message) => new InvalidTokenError(message)` of the MCP SDK. */
  readonly toError?: (message: string) => Error;
}

/** The parts of a request that the verifier reads. A Fetch `Request` has them. */
export interface AccessRequest {
  readonly method: string;
  /** The URL. The verifier checks its path, but not its origin. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** The rights that a request needs. */
export interface AccessNeeds {
  /** The actions that the token must grant, separated by spaces. */
  readonly scope?: string;
}

/** A token in the form in which both MCP SDKs pass it to tools. */
export interface AccessAuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  readonly expiresAt: number;
  readonly resource: URL;
  readonly extra: Record<string, unknown>;
}

/** Verifies requests to a resource. */
export interface TokenVerifier {
  /**
   * Returns the agent, or the answer that refuses the request: 401, 403 or 503. Never rejects because of a wrong
   * request.
   */
  (request: AccessRequest, needs?: AccessNeeds): Promise<Access | Response>;
  /** Answers a request for the metadata of the resource (RFC 9728). Returns `undefined` for any other path. */
  metadata(request: Pick<AccessRequest, 'url'>): Response | undefined;
  /**
   * Verifies an unbound token for `requireBearerAuth` of the MCP SDKs.
   *
   * @throws {IdentityError} `invalid_token` for any other token, or the error that the option `toError` creates.
   */
  verifyAccessToken(token: string): Promise<AccessAuthInfo>;
  /** Returns the agent of a verified token in the form of the MCP SDKs. */
  authInfo(access: Access, token: string): AccessAuthInfo;
}

const MAKER = 'createTokenVerifier';
const MAX_ISSUERS = 16;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';

const OPTIONS: OptionNames<TokenVerifierOptions> = {
  issuers: true,
  resource: true,
  environment: true,
  keys: true,
  fetch: true,
  at: true,
  live: true,
  once: true,
  bearer: true,
  scopes_supported: true,
  toError: true,
};

/**
 * Creates a verifier of the access tokens for one resource.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { createTokenVerifier } from 'agent-identity-service/tokens';
 *
 * const verifyToken = createTokenVerifier({
 *   issuers: ['https://id.example.com/api/issuers/example.com'],
 *   resource: 'https://mcp.example/mcp',
 * });
 * const answer = await verifyToken(new Request('https://mcp.example/mcp'));
 * console.log(answer instanceof Response && answer.status); // 401
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const checkedOptions = checked(options);
  const { terms, bearer, scopes_supported, toError } = checkedOptions;
  const { origin, pathname } = new URL(terms.resource);
  const metadataPath = `${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
  const metadataUrl = `${origin}${metadataPath}`;

  const accessChecker = accessCheck({ ...checkedOptions, origin });

  async function verifyToken(request: AccessRequest, needs: AccessNeeds = {}): Promise<Access | Response> {
    const scope = needs.scope === undefined ? [] : needs.scope.split(' ');
    try {
      const answer = await accessChecker(request, needs);
      if (typeof answer === 'object') return answer;
      return challengeOf({ metadataUrl, scope, ...(answer !== undefined && { error: answer }) });
    } catch (error) {
      return challengeOf({ metadataUrl, scope, error: refusalOf(error) });
    }
  }

  function authInfo(access: Access, token: string): AccessAuthInfo {
    const { agent_id, subject, subject_issuer, scope, expires_at, issuer, jti } = access;
    const extra = { agent_id, subject, subject_issuer, issuer, jti };
    rememberAccess(extra, access);
    return {
      token,
      clientId: agent_id,
      scopes: [...scope],
      expiresAt: expires_at,
      resource: new URL(terms.resource),
      extra,
    };
  }

  return Object.assign(verifyToken, {
    metadata({ url }: Pick<AccessRequest, 'url'>): Response | undefined {
      if (new URL(url, origin).pathname !== metadataPath) return undefined;
      const document = {
        resource: terms.resource,
        authorization_servers: [...terms.issuers.keys()],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: ASSERTION_ALGORITHMS,
        ...(!bearer && { dpop_bound_access_tokens_required: true }),
        ...(scopes_supported !== undefined && { scopes_supported }),
      };
      const headers = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
      return Response.json(document, { headers });
    },

    async verifyAccessToken(token: string): Promise<AccessAuthInfo> {
      const request = new Headers({ authorization: `Bearer ${token}` });
      const access = await verifyToken({ method: 'GET', url: terms.resource, headers: request });
      if (access instanceof Response) throw toError('The access token is refused.');
      return authInfo(access, token);
    },

    authInfo,
  });
}

/** Says for each scheme of the header `authorization` whether its tokens are bound to a key. */
const BOUND_SCHEMES: ReadonlyMap<string, boolean> = new Map([
  ['dpop', true],
  ['bearer', false],
]);

type CheckedOptions = ReturnType<typeof checked>;

function accessCheck({
  terms,
  keys,
  fetch,
  at,
  live = async () => true,
  once,
  bearer,
  origin,
}: CheckedOptions & { readonly origin: string }) {
  const keysPromise = keys && keysByThumbprint(jwkList(keys));
  const keptKeys = keepKeys(fetch, resolveIssuer);

  async function verified(text: string): Promise<Access> {
    const read: UnverifiedAccess = readAccessToken(text, terms);
    demandAccessInTime(read, at());
    const { token, access } = read;
    const trustedKeys = (await keysPromise) ?? (await keptKeys(access.issuer, thumbprintNamed(token), at()));
    await demandSigned(token, trustedKeys);
    // The keys may have taken longer than the token lives.
    demandAccessInTime(read, at());
    return access;
  }

  async function isProved(request: AccessRequest, token: string, { jkt }: Access): Promise<boolean> {
    const proof = request.headers.get('dpop');
    if (jkt === null) return true;
    if (proof === null || proof.includes(',')) return false;
    const url = `${origin}${new URL(request.url, origin).pathname}`;
    const valid = await checkDpop(proof, { method: request.method, url, at: at(), token });
    return valid?.jkt === jkt && (await once(valid.jti, valid.endsAt, at())) === true;
  }

  return async function judged(
    request: AccessRequest,
    { scope }: AccessNeeds,
  ): Promise<Access | AccessRefusal | undefined> {
    const [scheme = '', token, suffix] = String(request.headers.get('authorization')).split(' ');
    const isBound = BOUND_SCHEMES.get(scheme.toLowerCase());
    if (token === undefined || isBound === undefined) return undefined;
    if (suffix !== undefined) return 'invalid_token';
    const access = await verified(token);
    if (isBound !== (access.jkt !== null) || !(isBound || bearer)) return 'invalid_token';
    if (!(await isProved(request, token, access))) return 'invalid_dpop_proof';
    if ((await live(access.agent_id, token, access.issuer)) !== true) return 'invalid_token';
    return covers(access, scope) ? access : 'insufficient_scope';
  };
}

function covers(access: Access, scope: string | undefined): boolean {
  return scope === undefined || scope.split(' ').every((action) => access.scope.includes(action));
}

function refusalOf(error: unknown): AccessRefusal {
  const isInvalid = error instanceof IdentityError && error.code === 'invalid_token';
  return isInvalid && error.details['problem'] !== 'unresolved' ? 'invalid_token' : 'temporarily_unavailable';
}

/** Reads the keys of an issuer at its own address. Neither a token nor metadata can change this address. */
async function resolveIssuer(issuer: string, fetchBytes: FetchBytes): Promise<IssuerKeys> {
  try {
    return await keysByThumbprint(
      jwkList(parseStrictly(await fetchBytes(`${issuer}/jwks.json`)) as GivenKeys),
    );
  } catch (cause) {
    throw invalidToken('unresolved', cause);
  }
}

function checked(options: TokenVerifierOptions) {
  const { issuers, resource, environment = 'live', ...otherFields } = knownOptions(MAKER, options, OPTIONS);
  const domains = new Map(
    (Array.isArray(issuers) ? issuers : []).map((issuer) => [issuer, domainOfIssuer(issuer)]),
  );
  const isKnown = domains.size >= 1 && domains.size <= MAX_ISSUERS;
  if (!isKnown || [...domains.values()].includes(undefined)) {
    throw misconfigured(
      MAKER,
      'issuers must be 1 to 16 URLs such as https://id.example.com/api/issuers/example.com',
    );
  }
  const name = typeof resource === 'string' ? resourceNamed(resource) : undefined;
  if (name === undefined)
    throw misconfigured(MAKER, 'resource must be an https URL without query and fragment');
  if (environment !== 'live' && environment !== 'test')
    throw misconfigured(MAKER, 'environment must be live or test');
  const { at = Date.now, live, once = rememberOnce(), bearer = true, toError = toPlainError } = otherFields;
  const functions = [at, once, toError, ...(live === undefined ? [] : [live])];
  if (!functions.every((option) => typeof option === 'function') || typeof bearer !== 'boolean') {
    throw misconfigured(MAKER, 'at, live, once and toError must be functions, and bearer true or false');
  }
  const terms = { issuers: domains as ReadonlyMap<string, string>, resource: name, environment };
  return { ...otherFields, terms, at, live, once, bearer, toError };
}

function toPlainError(message: string): Error {
  return new IdentityError('invalid_token', message);
}
