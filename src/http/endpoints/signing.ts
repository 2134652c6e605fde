import { IdentityError } from '../../errors.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { publicDocument } from '../replies.ts';

/**
 * The seconds for which clients may cache the keys: half of the time between the publication of a new key and its first
 * signature.
 */
const MAX_AGE_SECONDS = 300;

/**
 * The seconds for which clients may cache the status list. The `Age` header counts from the time when the list was
 * signed.
 */
const STATUS_MAX_AGE_SECONDS = 60;

export const signingEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/jwks.json',
    room: 'signing',
    tag: 'Service',
    summary: 'Get the public keys of the service as a JWK set (RFC 7517)',
    credential: 'none',
    success: {
      status: 200,
      description: 'Every key that is published now.',
      schema: 'JwkSet',
      mediaType: 'application/jwk-set+json',
    },
    async handle({ service, rawHeaders }) {
      return publicDocument(JSON.stringify(await service.signing.jwks()), rawHeaders, MAX_AGE_SECONDS);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/status/{list_id}',
    room: 'signing',
    tag: 'Service',
    summary: 'Get the status of signed passports as a Token Status List',
    credential: 'none',
    // Declared so that it is refused: lists of the past are not offered (draft-ietf-oauth-status-list-20, section 8.4).
    query: [
      {
        name: 'time',
        description: 'Not supported. The answer is 501.',
        schema: { type: 'string' },
        mayBeEmpty: true,
      },
    ],
    patient: true,
    success: {
      status: 200,
      description: 'The list, made at most 60 s ago; Age says how long. It may be kept until `iat` + `ttl`.',
      schema: 'StatusListToken',
      mediaType: 'application/statuslist+jwt',
    },
    errors: ['not_found', 'not_implemented', 'overloaded'],
    needs: ({ signing }) => signing?.signsPassports === true,
    async handle({ service, params, query, rawHeaders }) {
      if (query['time'] !== undefined) {
        throw new IdentityError(
          'not_implemented',
          'Status lists of the past are not offered. Leave out time.',
        );
      }
      const { token, age_seconds } = await service.signing.statusList(params['list_id'] ?? '');
      const { headers, ...reply } = publicDocument(token, rawHeaders, STATUS_MAX_AGE_SECONDS);
      return { ...reply, headers: { ...headers, age: `${age_seconds}` } };
    },
  }),
];
