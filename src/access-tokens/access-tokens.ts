/** The methods of access tokens. Types only, no code. */
import type { AccessTokenAnswer, AccessTokenRequest, IssuerMetadata } from '../records/access-token.ts';

/** The options of `accessTokens`. */
export interface AccessTokenOptions {
  /** The seconds for which a token is valid, 60 to 300; default 300. */
  readonly seconds?: number;
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
  /** Returns the metadata of the issuer of a domain (RFC 8414). */
  metadata(domain: string): IssuerMetadata;
}
