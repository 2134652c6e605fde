/** The metadata of the issuers of access tokens (RFC 8414), one for each claimed domain. */
import type { AccessTokens } from '../access-tokens/access-tokens.ts';
import { ISSUER_MAX_AGE_SECONDS, issuerDomain, issuerOf } from '../base/values/access-token.ts';
import { IdentityError } from '../errors.ts';
import type { ApiResponse } from '../http/exchange.ts';
import type { IdentityService } from '../service.ts';
import { found, publicText } from './public-text.ts';

/** The documents of issuers. */
interface IssuerDocuments {
  /** The beginning of their paths. */
  readonly prefix: string;
  /** Answers a request for a path below it. */
  answer(request: { readonly path: string; readonly rawHeaders: readonly string[] }): Promise<ApiResponse>;
}

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

/** Returns the documents of a service; `undefined` if it issues no access tokens. */
export function issuerDocuments(
  service: IdentityService & { readonly tokens?: AccessTokens },
  account_id: string | undefined,
): IssuerDocuments | undefined {
  const { published, tokens } = service;
  if (tokens === undefined || published.publicUrl === undefined) return undefined;
  const prefix = WELL_KNOWN + new URL(issuerOf(published.publicUrl, '')).pathname;
  return {
    prefix,
    async answer({ path, rawHeaders }) {
      const domain = issuerDomain(path.slice(prefix.length));
      if ((await published.domain(domain, { account_id })) === undefined) {
        throw new IdentityError('not_found', 'There is no such document.');
      }
      const document = publicText(tokens.metadata(domain));
      return found(document, {
        rawHeaders,
        mediaType: 'application/json',
        maxAgeSeconds: ISSUER_MAX_AGE_SECONDS,
      });
    },
  };
}
