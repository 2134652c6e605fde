/** The entry point `./oidc`: signs people in with an OpenID Connect issuer. It uses the package `openid-client`. */
export type { OidcClaims, OidcProvider, OidcStart } from '../../src/ports/index.ts';
export { type OpenidProviderOptions, openidProvider } from './openid-provider.ts';
