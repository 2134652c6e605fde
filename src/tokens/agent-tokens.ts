/**
 * Requests access tokens for an agent, keeps them until shortly before they expire, and sends them with its requests.
 */
import { toBase64Url } from '../base/bytes/base64url.ts';
import { knownOptions, misconfigured, type OptionNames } from '../base/known-options.ts';
import { ASSERTION_TYPE, issuerDomain, resourceNamed } from '../base/values/access-token.ts';
import { isDomain } from '../base/values/agent-id.ts';
import { IdentityError } from '../errors.ts';
import { secureRandom } from '../platform/random.ts';
import { type PrivateJwk, toPublicJwk } from '../platform/signing.ts';
import { privateKeyOf, type SigningAgentKey } from './proof/private-key.ts';
import { encodedDigest } from './proof/thumbprint.ts';
import { signCompact } from './signing/sign-compact.ts';

/** The options of an agent's tokens: the agent's key and its issuer. */
export interface AgentTokenOptions {
  /** The issuer for the agent's domain, such as `https://id.example.com/api/issuers/example.com`. */
  readonly issuer: string;
  readonly agent_id: string;
  /** The private key of the agent: `private_jwk` of `generateAgentKey`. */
  readonly key: PrivateJwk;
  /** `false`: tokens are not bound to the key. Default: `true`, bound by DPoP (RFC 9449). */
  readonly dpop?: boolean;
  /** Sends all requests; default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Gets access tokens, and sends requests with them. */
export interface AgentTokens {
  /**
   * Returns a token for the resource that is valid for at least 30 s. Concurrent callers share one request.
   *
   * @throws {IdentityError} `token_refused` with `details.error`, a code of OAuth.
   * @throws {IdentityError} `service_unreachable` if no valid answer of the issuer arrives.
   */
  token(resource: string, scope?: string): Promise<string>;
  /**
   * Creates a `fetch` for the resource. Requests to its origin and below its path carry a token. Other requests do not.
   * The function follows no redirect. After 401 `invalid_token` it repeats the request once with a new token, if the
   * body can be sent again.
   *
   * @throws {IdentityError} `invalid_configuration` for a resource that is no https URL.
   */
  fetch(resource: string, scope?: string): typeof globalThis.fetch;
}

const MAKER = 'agentTokens';
const OPTIONS: OptionNames<AgentTokenOptions> = {
  issuer: true,
  agent_id: true,
  key: true,
  dpop: true,
  fetch: true,
};
const ASSERTION_SECONDS = 60;
/** A new token is requested this many seconds before the old one expires. */
const EARLY_SECONDS = 30;

interface KeptToken {
  readonly token: string;
  /** The instant, in milliseconds since the Unix epoch, from which a new token is requested. */
  readonly until: number;
}

/**
 * Creates the access tokens of one agent.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 */
export function agentTokens(options: AgentTokenOptions): AgentTokens {
  const checkedOptions = knownOptions(MAKER, options, OPTIONS);
  const { issuer, agent_id, dpop = true, fetch = globalThis.fetch } = checkedOptions;
  if (domainOfIssuer(issuer) === undefined || typeof agent_id !== 'string') {
    throw misconfigured(MAKER, 'issuer must be a URL such as https://id.example.com/api/issuers/example.com');
  }
  const keptTokenPromises = new Map<string, Promise<KeptToken>>();

  const { proofFor, get } = tokenRequests({ issuer, agent_id, dpop, fetch, secret: checkedOptions.key });
  function keptFor(resource: string, scope: string | undefined): Promise<KeptToken> {
    const name = JSON.stringify([resource, scope]);
    const tokenPromise = get(resource, scope);
    keptTokenPromises.set(name, tokenPromise);
    tokenPromise.catch(() => keptTokenPromises.get(name) === tokenPromise && keptTokenPromises.delete(name));
    return tokenPromise;
  }

  async function token(resource: string, scope?: string): Promise<string> {
    const name = JSON.stringify([resource, scope]);
    for (;;) {
      const tokenPromise = keptTokenPromises.get(name);
      if (tokenPromise === undefined) return (await keptFor(resource, scope)).token;
      const token = await tokenPromise;
      if (Date.now() < token.until) return token.token;
      // The first of those who wait asks again.
      if (keptTokenPromises.get(name) === tokenPromise) keptTokenPromises.delete(name);
    }
  }

  return {
    token,
    fetch(resource, scope) {
      const namedResource = resourceNamed(resource);
      if (namedResource === undefined)
        throw misconfigured(MAKER, 'resource must be an https URL without query and fragment');
      return async (input, init) => {
        const request = new Request(input, init);
        if (!isBelow(request.url, namedResource)) return fetch(request);
        const againRequest = request.body === null ? request.clone() : undefined;
        const send = async (message: Request, text: string): Promise<Response> => {
          const headers = new Headers(message.headers);
          headers.set('authorization', `${dpop ? 'DPoP' : 'Bearer'} ${text}`);
          if (dpop)
            headers.set(
              'dpop',
              await proofFor(message.method, message.url, { ath: await encodedDigest(text) }),
            );
          return fetch(new Request(message, { headers, redirect: 'manual' }));
        };
        const first = await token(namedResource, scope);
        const response = await send(request, first);
        const challenge = response.headers.get('www-authenticate') ?? '';
        if (response.status !== 401 || againRequest === undefined || !challenge.includes('invalid_token'))
          return response;
        return send(againRequest, (await keptFor(namedResource, scope)).token);
      };
    },
  };
}

interface Requester extends Required<Pick<AgentTokenOptions, 'issuer' | 'agent_id' | 'dpop' | 'fetch'>> {
  readonly secret: PrivateJwk;
}

function tokenRequests({ issuer, agent_id, dpop, fetch, secret }: Requester) {
  const key = privateKeyOf(secret);
  const jwk = toPublicJwk(secret);

  async function proofFor(htm: string, url: string, extra: object = {}): Promise<string> {
    const { origin, pathname } = new URL(url);
    return signed(
      key,
      { typ: 'dpop+jwt', jwk },
      { htm, htu: `${origin}${pathname}`, iat: seconds(), jti: id(), ...extra },
    );
  }

  async function request(form: Record<string, string>, nonce?: string): Promise<Response> {
    const url = `${issuer}/token`;
    const iat = seconds();
    const claims = {
      iss: agent_id,
      sub: agent_id,
      aud: issuer,
      iat,
      exp: iat + ASSERTION_SECONDS,
      jti: id(),
    };
    const client_assertion = await signed(key, { kid: await key.kid(), typ: 'JWT' }, claims);
    const body = new URLSearchParams({ ...form, client_assertion_type: ASSERTION_TYPE, client_assertion });
    const headers: Record<string, string> = {};
    if (dpop) headers['dpop'] = await proofFor('POST', url, nonce === undefined ? {} : { nonce });
    return fetch(url, { method: 'POST', body, headers, redirect: 'manual' }).catch((cause: unknown) => {
      throw new IdentityError('service_unreachable', `The issuer ${issuer} does not answer. Try again.`, {
        cause,
      });
    });
  }

  async function get(resource: string, scope: string | undefined): Promise<KeptToken> {
    const form = { grant_type: 'client_credentials', resource, ...(scope !== undefined && { scope }) };
    let response = await request(form);
    let answer = await jsonOf(response);
    const nonce = response.headers.get('dpop-nonce');
    if (answer['error'] === 'use_dpop_nonce' && nonce !== null) {
      response = await request(form, nonce);
      answer = await jsonOf(response);
    }
    const { access_token, expires_in, error, error_description } = answer;
    if (response.status === 200 && typeof access_token === 'string' && typeof expires_in === 'number') {
      return { token: access_token, until: Date.now() + (expires_in - EARLY_SECONDS) * 1_000 };
    }
    if (typeof error !== 'string' || response.status >= 500) {
      throw new IdentityError('service_unreachable', `The issuer ${issuer} answered ${response.status}.`);
    }
    throw new IdentityError('token_refused', String(error_description ?? error), { details: { error } });
  }

  return { proofFor, get };
}

function isBelow(url: string, resource: string): boolean {
  const [askedUrl, namedUrl] = [new URL(url), new URL(resource)];
  if (askedUrl.origin !== namedUrl.origin) return false;
  const path = namedUrl.pathname.endsWith('/') ? namedUrl.pathname : `${namedUrl.pathname}/`;
  return askedUrl.pathname === namedUrl.pathname || askedUrl.pathname.startsWith(path);
}

async function signed(key: SigningAgentKey, header: object, claims: object): Promise<string> {
  return signCompact(JSON.stringify({ alg: key.alg, ...header }), JSON.stringify(claims), key.sign);
}

async function jsonOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(await response.json());
  } catch {
    return {};
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function id(): string {
  return toBase64Url(secureRandom.bytes(16));
}

/** Returns the domain of an issuer. Returns `undefined` for anything except an https URL that ends with a domain. */
export function domainOfIssuer(issuer: unknown): string | undefined {
  const [base, last] = typeof issuer === 'string' ? issuer.split(/\/issuers\/(?=[^/]+$)/) : [];
  if (base === undefined || last === undefined || resourceNamed(base) === undefined) return undefined;
  const domain = issuerDomain(last);
  return isDomain(domain, { allowLocalhost: true }) ? domain : undefined;
}
