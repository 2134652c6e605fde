import { unavailable } from '../../core.ts';
import { IdentityError } from '../../errors.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

export const serviceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/openapi.json',
    room: null,
    tag: 'Service',
    summary: 'Get this API as OpenAPI 3.1',
    credential: 'none',
    success: { status: 200, description: 'The document.', schema: 'OpenApi' },
    handle: ({ document, rawHeaders }) => document(rawHeaders),
  }),
  endpoint({
    method: 'GET',
    path: '/health/live',
    room: null,
    tag: 'Service',
    summary: 'Check that the process answers',
    credential: 'none',
    success: { status: 200, description: 'The process answers.', schema: 'Health' },
    handle: async () => ({ body: { status: 'ok' } }),
  }),
  endpoint({
    method: 'GET',
    path: '/health/ready',
    room: 'health',
    tag: 'Service',
    summary: 'Check the storage and the clock of the node',
    credential: 'none',
    success: { status: 200, description: 'The storage and the clock work.', schema: 'Health' },
    errors: ['storage_unavailable'],
    async handle({ service }) {
      // Every failure means "not ready", a mistake in the adapter included.
      await service.health().catch((error: unknown) => {
        if (!(error instanceof IdentityError)) throw unavailable(error);
        if (error.code === 'invalid_configuration') throw misfit(error);
        throw error.code === 'internal' ? unavailable(error.cause) : error;
      });
      return { body: { status: 'ok' } };
    },
  }),
];

/**
 * Returns the error of a node that does not match its storage, for example because of another secret. The message names
 * the cause.
 */
function misfit(cause: IdentityError): IdentityError {
  return new IdentityError('storage_unavailable', cause.message, {
    cause,
    details: { retryAfterSeconds: 1 },
  });
}
