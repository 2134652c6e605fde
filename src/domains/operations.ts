import type { TableOf } from '../operations/operation.ts';
import { EDITORS, MEMBERS } from '../operations/roles.ts';
import type { Domains } from './domains.ts';

/**
 * The operations of `service.domains`. The endpoint of `claim` is separate, because it has another status if the claim
 * already exists.
 */
export const domainOperations: TableOf<Omit<Domains, 'claim'>, 'domains'> = {
  room: 'domains',
  tag: 'Domains',
  operations: {
    list: {
      http: 'GET /domains',
      summary: 'List the domains of the account, newest first',
      roles: MEMBERS,
      managementScope: 'passports:read',
      query: 'page',
      status: 200,
      answer: 'DomainPage',
      returns: 'A page of claims.',
      isAbortable: true,
    },
    check: {
      http: 'POST /domains/{domain}/check',
      summary: 'Verify a domain now, by DNS or its web server',
      roles: EDITORS,
      status: 200,
      answer: 'Domain',
      returns: 'The claim, proven.',
      has: ['status'],
      errors: ['invalid_request', 'not_found', 'domain_claimed', 'conflict', 'rate_limited'],
      counts: 'write',
      isPatient: true,
    },
    release: {
      http: 'DELETE /domains/{domain}',
      summary: 'Release a domain without active passports',
      roles: EDITORS,
      status: 204,
      returns: 'The claim is released.',
      errors: ['not_found', 'conflict'],
      options: ['force'],
    },
  },
};
