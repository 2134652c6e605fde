/** Asks the issuer of a token whether the token is active (RFC 7662). */
import { createBoundedMap } from '../base/bounded-map.ts';
import { knownOptions, misconfigured, type OptionNames } from '../base/known-options.ts';
import { IdentityError } from '../errors.ts';

/** The API key, and the function that sends requests. */
export interface IntrospectionOptions {
  /** An API key with the scope `verify`, for the environment of the tokens. */
  readonly apiKey: string;
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Returns `true` if a token is active. For the option `live` of `createTokenVerifier`. */
export type AskIssuer = (agent_id: string, token: string, issuer: string) => Promise<boolean>;

const MAKER = 'introspection';
const OPTIONS: OptionNames<IntrospectionOptions> = { apiKey: true, fetch: true };
/** The milliseconds for which an answer is valid, from the start of its request. */
const KEPT_MS = 700;
const LEAST_KEPT = 1_000;
const DEADLINE_MS = 5_000;

/**
 * Creates the function that asks the issuer of a token whether the token is active. An answer counts for 700
 * ms. Requests for the same token at the same time share one answer.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createTokenVerifier, introspection } from 'agent-identity-service/tokens';
 *
 * const verifyToken = createTokenVerifier({
 *   issuers: ['https://id.example.com/api/issuers/example.com'],
 *   resource: 'https://mcp.example/mcp',
 *   live: introspection({ apiKey: 'ais_…' }),
 * });
 * const answer = await verifyToken(new Request('https://mcp.example/mcp'));
 * console.log(answer instanceof Response && answer.status); // 401
 */
export function introspection(options: IntrospectionOptions): AskIssuer {
  const { apiKey, fetch = globalThis.fetch } = knownOptions(MAKER, options, OPTIONS);
  if (typeof apiKey !== 'string' || apiKey === '' || typeof fetch !== 'function') {
    throw misconfigured(MAKER, 'apiKey must be an API key with the scope verify');
  }
  const keptMap = createBoundedMap<string, { readonly until: number; readonly answer: Promise<boolean> }>(
    LEAST_KEPT,
  );

  async function ask(issuer: string, token: string): Promise<boolean> {
    const response = await fetch(`${issuer}/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: { 'x-api-key': apiKey },
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const answer: unknown = response.status === 200 ? await response.json() : undefined;
    const { active } = Object(answer) as Readonly<Record<string, unknown>>;
    if (typeof active !== 'boolean') throw failed(response.status);
    return active;
  }

  return (_, token, issuer) => {
    const name = `${issuer} ${token}`;
    const now = Date.now();
    const entry = keptMap.get(name);
    if (entry !== undefined && entry.until > now && entry.until <= now + KEPT_MS) return entry.answer;
    const answer = ask(issuer, token);
    keptMap.set(name, { until: now + KEPT_MS, answer });
    // An issuer that did not answer has said nothing for later requests.
    answer.catch(() => keptMap.set(name, { until: 0, answer }));
    return answer;
  };
}

function failed(status: number): IdentityError {
  return new IdentityError('service_unreachable', `The issuer answered ${status}.`);
}
