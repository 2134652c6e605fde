import { ISSUER_MAX_AGE_SECONDS, issuerDomain } from '../../base/values/access-token.ts';
import { IdentityError, noSuch } from '../../errors.ts';
import type { RoomName } from '../api-host.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { headerOf, isDoubled, readTraceId } from '../exchange.ts';
import { publicDocument } from '../replies.ts';

const ROOM = 'tokens' satisfies RoomName;

export const tokenEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/issuers/{domain}/token',
    room: ROOM,
    tag: 'Access tokens',
    summary: 'Get an access token for one resource',
    credential: 'none',
    body: { schema: 'AccessTokenForm', isForm: true, maxBytes: 16 * 1024 },
    errorsAs: 'oauth',
    // A token waits for the storage up to four times, as a spend does.
    patient: true,
    success: { status: 200, description: 'The token; it is shown once.', schema: 'AccessToken' },
    errors: ['token_refused', 'unauthenticated', 'rate_limited', 'overloaded'],
    async handle({ service, params, rawHeaders, body, requestId }) {
      const issuedAnswer = await service.tokens.issue({
        domain: issuerDomain(params['domain'] ?? ''),
        parameters: body as Readonly<Record<string, string>>,
        authorization: onceOf(rawHeaders, 'authorization', 'invalid_request'),
        dpop: onceOf(rawHeaders, 'dpop', 'invalid_dpop_proof'),
        request_id: requestId,
        trace_id: readTraceId(rawHeaders),
      });
      return { body: issuedAnswer, headers: { pragma: 'no-cache' } };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/issuers/{domain}/introspect',
    room: ROOM,
    tag: 'Access tokens',
    summary: 'Ask whether an access token is active (RFC 7662)',
    credential: 'none',
    body: { schema: 'IntrospectionForm', isForm: true, maxBytes: 16 * 1024 },
    errorsAs: 'oauth',
    success: { status: 200, description: 'The claims, or `active: false`.', schema: 'Introspection' },
    errors: ['token_refused', 'unauthenticated', 'rate_limited', 'overloaded'],
    async handle({ service, params, rawHeaders, body, requestId }) {
      const answer = await service.tokens.introspect({
        domain: issuerDomain(params['domain'] ?? ''),
        parameters: body as Readonly<Record<string, string>>,
        authorization: onceOf(rawHeaders, 'authorization', 'invalid_request'),
        api_key: onceOf(rawHeaders, 'x-api-key', 'invalid_request'),
        request_id: requestId,
      });
      return { body: answer, headers: { pragma: 'no-cache' } };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/issuers/{domain}/jwks.json',
    room: 'published',
    tag: 'Access tokens',
    summary: 'Get the keys that sign access tokens of a domain as a JWK set (RFC 7517)',
    credential: 'none',
    success: {
      status: 200,
      description: 'The keys of the service; only a claimed domain has them.',
      schema: 'JwkSet',
      mediaType: 'application/jwk-set+json',
    },
    errors: ['not_found', 'overloaded'],
    needs: (service) => ROOM in service,
    async handle({ service, params, rawHeaders }) {
      const domain = issuerDomain(params['domain'] ?? '');
      const keys = await service.published.domain(domain);
      if (keys === undefined) throw noSuch('issuer');
      return publicDocument(JSON.stringify({ keys }), rawHeaders, ISSUER_MAX_AGE_SECONDS);
    },
  }),
];

function onceOf(rawHeaders: readonly string[], name: string, error: string): string | undefined {
  if (!isDoubled(rawHeaders, name)) return headerOf(rawHeaders, name);
  throw new IdentityError('token_refused', 'Send each header once.', { details: { error } });
}
