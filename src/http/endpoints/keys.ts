import { EDITORS, MEMBERS } from '../../operations/roles.ts';
import type { KeyInput, KeyPatch, KeyQuery, KeyRotation } from '../../service.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { pageOf, pageParameters } from '../page-query.ts';

/** The endpoints of an account's API keys. */
export const keyEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/keys',
    verb: 'keys',
    tag: 'Keys',
    summary: 'Create an API key and get its secret once',
    credential: 'session',
    role: EDITORS,
    writes: true,
    body: { schema: 'KeyRequest' },
    idempotent: true,
    success: { status: 201, description: 'The key with its secret.', schema: 'NewKey' },
    errors: ['plan_limit_reached'],
    handle: async ({ service, caller, body, once }) => ({
      body: await service.keys.create(body as KeyInput, { ...caller, ...once }),
    }),
  }),
  endpoint({
    method: 'GET',
    path: '/keys',
    verb: 'keys',
    tag: 'Keys',
    summary: 'List the keys, newest first',
    credential: 'session',
    role: MEMBERS,
    query: [
      {
        name: 'created_by',
        description: 'Only keys that this member made.',
        schema: { type: 'string', maxLength: 64 },
      },
      ...pageParameters,
    ],
    success: { status: 200, description: 'A page of keys, never their secrets.', schema: 'KeyPage' },
    handle: async ({ service, caller, query, signal }) => ({
      body: await service.keys.list(keyQueryOf(query), { ...caller, signal: signal() }),
    }),
  }),
  endpoint({
    method: 'GET',
    path: '/keys/{id}',
    verb: 'keys',
    tag: 'Keys',
    summary: 'Show a key',
    credential: 'session',
    role: MEMBERS,
    success: { status: 200, description: 'The key, never its secret.', schema: 'Key' },
    errors: ['not_found'],
    handle: async ({ service, caller, params }) => ({
      body: await service.keys.get(params['id'] ?? '', caller),
    }),
  }),
  endpoint({
    method: 'PATCH',
    path: '/keys/{id}',
    verb: 'keys',
    tag: 'Keys',
    summary: 'Change the name, the scopes or the agents of a key',
    credential: 'session',
    role: EDITORS,
    writes: true,
    body: { schema: 'KeyPatch' },
    success: { status: 200, description: 'The key as it is now.', schema: 'Key' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, params, body }) => ({
      body: await service.keys.update(params['id'] ?? '', body as KeyPatch, caller),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/keys/{id}/rotate',
    verb: 'keys',
    tag: 'Keys',
    summary: 'Replace a key, at once or after a grace period',
    credential: 'session',
    role: EDITORS,
    writes: true,
    body: { schema: 'KeyRotation', optional: true },
    idempotent: true,
    success: { status: 201, description: 'The new key with its secret.', schema: 'RotatedKey' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, params, body, once }) => ({
      body: await service.keys.rotate(params['id'] ?? '', body as KeyRotation, { ...caller, ...once }),
    }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/keys/{id}',
    verb: 'keys',
    tag: 'Keys',
    summary: 'Revoke a key permanently',
    credential: 'session',
    role: EDITORS,
    success: { status: 204, description: 'The key is refused from now on.' },
    errors: ['not_found'],
    async handle({ service, caller, params }) {
      await service.keys.revoke(params['id'] ?? '', caller);
      return {};
    },
  }),
];

function keyQueryOf(query: Readonly<Record<string, string>>): KeyQuery {
  const { created_by } = query;
  return { ...pageOf(query), ...(created_by !== undefined && { created_by }) };
}
