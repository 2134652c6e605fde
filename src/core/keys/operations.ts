import type { TableOf } from '../../operations/operation.ts';
import { PAGE, UNUSED } from '../../operations/parameters.ts';
import { EDITORS, MEMBERS } from '../../operations/roles.ts';
import type { Keys } from './keys.ts';

/** The table of `service.keys`. */
export const keyOperations: TableOf<Keys, 'keys'> = {
  room: 'keys',
  tag: 'Keys',
  operations: {
    create: {
      http: 'POST /keys',
      summary: 'Create an API key and get its secret once',
      roles: EDITORS,
      body: 'KeyRequest',
      headers: ['Idempotency-Key'],
      status: 201,
      answer: 'NewKey',
      returns: 'The key with its secret.',
      has: ['id', 'message'],
      secret: 'key',
      errors: ['plan_limit_reached'],
      counts: 'write',
    },
    list: {
      http: 'GET /keys',
      summary: 'List the keys, newest first',
      roles: MEMBERS,
      query: [
        {
          name: 'created_by',
          description: 'Only keys that this member made.',
          schema: { type: 'string', maxLength: 64 },
        },
        UNUSED,
        ...PAGE,
      ],
      status: 200,
      answer: 'KeyPage',
      returns: 'A page of keys, never their secrets.',
      isAbortable: true,
    },
    get: {
      http: 'GET /keys/{id}',
      summary: 'Show a key',
      roles: MEMBERS,
      status: 200,
      answer: 'Key',
      returns: 'The key, never its secret.',
      has: ['id'],
      errors: ['not_found'],
    },
    update: {
      http: 'PATCH /keys/{id}',
      summary: 'Change the name, the scopes or the agents of a key',
      roles: EDITORS,
      body: 'KeyPatch',
      status: 200,
      answer: 'Key',
      returns: 'The key as it is now.',
      has: ['id'],
      errors: ['not_found', 'conflict'],
      counts: 'write',
    },
    rotate: {
      http: 'POST /keys/{id}/rotate',
      summary: 'Replace a key, at once or after a grace period',
      roles: EDITORS,
      body: 'KeyRotation',
      isBodyOptional: true,
      headers: ['Idempotency-Key'],
      status: 201,
      answer: 'RotatedKey',
      returns: 'The new key with its secret.',
      has: ['id', 'replaces'],
      secret: 'key',
      errors: ['not_found', 'conflict'],
      counts: 'write',
    },
    revoke: {
      http: 'DELETE /keys/{id}',
      summary: 'Revoke a key permanently',
      roles: EDITORS,
      status: 204,
      returns: 'The key is refused from now on.',
      errors: ['not_found'],
    },
  },
};
