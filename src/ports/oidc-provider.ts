/**
 * Signs people in with one OpenID Connect issuer. It stores nothing between the two steps, so that any node can
 * finish.
 */
export interface OidcProvider {
  /** Begins a sign-in; `service_unreachable` if the issuer does not answer. */
  start(): Promise<OidcStart>;
  /**
   * Returns the claims of the issuer about the person. `response` is the query string with which the browser came
   * back.
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
  /** The input of `finish`, at most 1,024 characters. The service seals it and gives it to the browser to keep. */
  readonly transaction: string;
}

/** The claims of an issuer about a person, in an ID token that was checked. */
export interface OidcClaims {
  /** The issuer. */
  readonly iss: string;
  /** The issuer's own id of the person: with `iss` it identifies the person, as no other claim does. */
  readonly sub: string;
  readonly [claim: string]: unknown;
}
