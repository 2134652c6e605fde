/** The metadata of an issuer (RFC 8414). */
import { ASSERTION_ALGORITHMS, issuerOf } from '../base/values/access-token.ts';
import type { IssuerMetadata } from '../records/access-token.ts';
import { GRANT_TYPES } from './read-request.ts';

/** Returns the metadata of the issuer of a domain. No header of a request has influence on it. */
export function issuerMetadata(publicUrl: string, domain: string): IssuerMetadata {
  const issuer = issuerOf(publicUrl, domain);
  return {
    issuer,
    // Not served: clients of MCP refuse metadata without it.
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks.json`,
    response_types_supported: [],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    dpop_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  };
}
