/** Access tokens of agents. Types only, no code. */

/** A request for an access token, with the form of the token endpoint (RFC 6749, RFC 8707, RFC 7523). */
export interface AccessTokenRequest {
  /** The domain of the issuer, exactly as in the field `domain` of passports, such as `example.com`. */
  readonly domain: string;
  /** The parameters of the form, such as `grant_type` and `resource`. An empty parameter counts as absent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The header `Authorization`, if there is one. */
  readonly authorization?: string | undefined;
  /** The header `DPoP`, if there is one (RFC 9449). It binds the token to the key of the header. */
  readonly dpop?: string | undefined;
  /** The request id of the caller, for the verdict record. */
  readonly request_id?: string | null | undefined;
  /** The trace id of the caller, for the verdict record. */
  readonly trace_id?: string | null | undefined;
}

/** The answer of the token endpoint with an access token (RFC 6749 section 5.1). */
export interface AccessTokenAnswer {
  /** The token, a JWS of type `at+jwt` (RFC 9068). */
  readonly access_token: string;
  /** `DPoP` for a token that is bound to a key. */
  readonly token_type: 'Bearer' | 'DPoP';
  /** The seconds until the token expires. */
  readonly expires_in: number;
  /** The granted actions, separated by spaces. Absent if none was requested. */
  readonly scope?: string;
}

/** A request for the state of a token (RFC 7662). The caller needs an API key with the scope `verify`. */
export interface IntrospectionRequest {
  /** The domain of the issuer, exactly as in the field `domain` of passports. */
  readonly domain: string;
  /** The parameters of the form. Only `token` is used. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The header `Authorization`: the API key as Bearer, or as Basic with the id of the key as user. */
  readonly authorization?: string | undefined;
  /** The header `X-API-Key`, if there is one. */
  readonly api_key?: string | undefined;
  /** The request id of the caller, for the log. */
  readonly request_id?: string | null | undefined;
}

/** The claims of an active token. */
export interface ActiveToken {
  readonly active: true;
  readonly token_type: 'Bearer' | 'DPoP';
  /** The actions that a new token would grant now, separated by spaces. Absent if there are none. */
  readonly scope?: string;
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly client_id: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly cnf?: { readonly jkt: string };
  /** The agent, if the token belongs to a user. */
  readonly act?: { readonly sub: string };
  /** The issuer of the user's login. */
  readonly subject_issuer?: string;
}

/** The state of a token: its claims, or only `active: false`. */
export type Introspection = ActiveToken | { readonly active: false };

/** The error codes of the token endpoint (RFC 6749 section 5.2, RFC 8707, RFC 9449). */
export type AccessTokenError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_dpop_proof';

/** The reason why no access token is issued although the verdict is an `ALLOW`. */
export type AccessTokenObstacle = 'domain' | 'time' | 'scope' | 'agents';

/** The metadata of an issuer (RFC 8414). */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly introspection_endpoint: string;
  readonly jwks_uri: string;
  readonly response_types_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly token_endpoint_auth_signing_alg_values_supported: readonly string[];
  readonly dpop_signing_alg_values_supported: readonly string[];
  readonly authorization_grant_profiles_supported: readonly string[];
}
