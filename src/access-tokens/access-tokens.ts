/** The methods of access tokens. Types only, no code. */
import type {
  AccessTokenAnswer,
  AccessTokenRequest,
  Introspection,
  IntrospectionRequest,
  IssuerMetadata,
} from '../records/access-token.ts';

/** The options of `accessTokens`. */
export interface AccessTokenOptions {
  /** The seconds for which a token is valid, 60 to 300; default 300. */
  readonly seconds?: number;
  /**
   * Reads the keys of trusted issuers, and nothing else. Default on Node: only from public addresses. Default elsewhere:
   * the platform's `fetch`.
   */
  readonly fetch?: typeof globalThis.fetch;
}

/** Issues access tokens to agents, as the token endpoint does. For the application and for HTTP. */
export interface AccessTokens {
  /**
   * Issues a token. The verdict on `oauth:token` decides, and is recorded.
   *
   * @throws {IdentityError} `token_refused` with `details.error`, a code of OAuth such as `invalid_client`;
   * `rate_limited`; `overloaded`; `storage_unavailable`
   */
  issue(request: AccessTokenRequest): Promise<AccessTokenAnswer>;
  /**
   * Says whether the agent of a token would get it now. Counts as a verification, and is not recorded. The state is at
   * most 100 ms old.
   *
   * @throws {IdentityError} `token_refused` with `details.error` `invalid_client` or `invalid_request`; `rate_limited`;
   * `overloaded`; `storage_unavailable`
   */
  introspect(request: IntrospectionRequest): Promise<Introspection>;
  /** Returns the metadata of the issuer of a domain (RFC 8414). */
  metadata(domain: string): IssuerMetadata;
}
