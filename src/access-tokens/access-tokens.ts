/** Declares the types of the methods for access tokens. */
import type {
  AccessTokenAnswer,
  AccessTokenRequest,
  Introspection,
  IntrospectionRequest,
  IssuerMetadata,
} from '../records/access-token.ts';

/** The options of `accessTokens`. */
export interface AccessTokenOptions {
  /** The validity of a token in seconds, 60 to 300; default 300. */
  readonly seconds?: number;
  /**
   * Fetches the keys of trusted issuers only. On Node, the default fetches only from public addresses. Elsewhere, the
   * default is the platform's `fetch`.
   */
  readonly fetch?: typeof globalThis.fetch;
}

/** Issues access tokens to agents, as the token endpoint does. The methods are for the application and for HTTP. */
export interface AccessTokens {
  /**
   * Issues a token if the verdict on `oauth:token` is ALLOW. The verdict is recorded.
   *
   * @throws {IdentityError} `token_refused` with `details.error`, a code of OAuth such as `invalid_client`.
   * @throws {IdentityError} `rate_limited` if the account exceeds its rate of verifications.
   * @throws {IdentityError} `overloaded` if too many calls read or check signatures, or the keys of the issuer cannot
   * be read now.
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer.
   */
  issue(request: AccessTokenRequest): Promise<AccessTokenAnswer>;
  /**
   * Says whether the agent of a token would get the same token now. The rate limit of the plan counts the call as a
   * verification, but the service does not record it. The result shows a state that is at most 100 ms old.
   *
   * @throws {IdentityError} `token_refused` with `details.error` `invalid_client` or `invalid_request`.
   * @throws {IdentityError} `rate_limited` if the account exceeds its rate of verifications.
   * @throws {IdentityError} `overloaded` if too many calls read API keys that the node does not know.
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer.
   */
  introspect(request: IntrospectionRequest): Promise<Introspection>;
  /** Returns the metadata of the issuer for a domain (RFC 8414). */
  metadata(domain: string): IssuerMetadata;
}
