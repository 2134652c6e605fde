/**
 * Signs people in with one OpenID Connect issuer. Stores nothing between the two steps, so that any node can finish the
 * sign-in.
 */
export interface OidcProvider {
  /**
   * Begins a sign-in.
   *
   * @throws {IdentityError} `service_unreachable` if the issuer does not answer.
   */
  start(): Promise<OidcStart>;
  /**
   * Returns the claims of the issuer about the person. `response` is the query string that the browser brings back.
   *
   * @throws {IdentityError} `invalid_credentials` unless the response answers exactly this transaction.
   * @throws {IdentityError} `service_unreachable` if the issuer does not answer.
   */
  finish(transaction: string, response: string): Promise<OidcClaims>;
}

/** A sign-in that has begun. */
export interface OidcStart {
  /** The page of the issuer to which the browser goes. */
  readonly url: string;
  /** The input of `finish`, at most 1,024 characters. The service signs it, and the browser keeps it until then. */
  readonly transaction: string;
}

/** The claims of an issuer about a person, from a checked ID token. */
export interface OidcClaims {
  /** The issuer. */
  readonly iss: string;
  /** The id of the person at the issuer. Only `iss` and `sub` together identify a person. */
  readonly sub: string;
  readonly [claim: string]: unknown;
}
